import type { EventFeed, StreamEvent } from '@holdfast/http';
import type { CommitSeen } from '@holdfast/keyspace';

import type { Book } from '../model/book.ts';
import type { Rights } from '../model/rights.ts';
import { books, libraries, operations, progress, rights } from '../store/definitions.ts';
import type { Store } from '../store/open.ts';
import { operationView } from './operation-view.ts';
import { progressView } from './progress-view.ts';

/** Who may be told. Never sent itself: only id, name and data of an event leave the server. */
type Audience = { readonly user: string } | { readonly library: string | null } | { readonly managers: true };

export interface AddressedEvent extends StreamEvent {
  readonly audience: Audience;
  /** The rights that the addressed user has from now on. */
  readonly rights?: Rights | undefined;
}

/** A scan changes hundreds at once: then it is told which library changed, and not each book. */
const BOOKS_MAX = 50;

type Told = Omit<AddressedEvent, 'id'>;

/**
 * What happens to books, operations and the places of listeners, by any process, numbered by the commits of the
 * database. `12-3` is the third event of commit 12, `12` the last: a listener that was cut off goes on right there.
 */
export function eventFeed(store: () => Store): EventFeed {
  return {
    head: async () => String(await store().revision()),
    accepts: (id) => /^\d{1,15}(?:-\d{1,6})?$/u.test(id),
    async *open(since, signal): AsyncGenerator<StreamEvent, void, undefined> {
      const [revision = 0, told] = since.split('-').map(Number);
      const start = told === undefined ? revision : revision - 1;
      for await (const commit of store().watchPrefix('', { since: start, signal })) {
        const events = eventsOf(commit);
        const skipped = commit.revision === revision ? (told ?? 0) : 0;
        for (const [index, event] of events.entries()) {
          const isLast = index === events.length - 1;
          const id = isLast ? String(commit.revision) : `${commit.revision}-${index + 1}`;
          if (index >= skipped) yield { ...event, id };
        }
      }
    },
  };
}

function eventsOf({ changes }: CommitSeen): readonly Told[] {
  const told: Told[] = [];
  const changed: Book[] = [];
  for (const { key, before, after } of changes) {
    if (books.template.matches(key)) changed.push(books.codec.decode((after ?? before) as string, key));
    else told.push(...eventOf(key, after as string | undefined));
  }
  return [...told, ...bookEvents(changed)];
}

function eventOf(key: string, stored: string | undefined): readonly Told[] {
  if (operations.template.matches(key) && stored !== undefined) {
    const data = operationView(operations.codec.decode(stored, key));
    return [{ event: 'operation', data, audience: { managers: true } }];
  }
  if (libraries.template.matches(key) && stored !== undefined) {
    const { id } = libraries.codec.decode(stored, key);
    return [{ event: 'library', data: { id }, audience: { library: id } }];
  }
  if (progress.template.matches(key)) return [progressEvent(key, stored)];
  if (rights.template.matches(key) && stored !== undefined) {
    const given = rights.codec.decode(stored, key);
    return [{ event: 'rights', data: {}, audience: { user: given.user_id }, rights: given }];
  }
  return [];
}

function progressEvent(key: string, stored: string | undefined): Told {
  const { user_id: user, book_id: book } = progress.template.decode(key) as { user_id: string; book_id: string };
  const data =
    stored === undefined ? { book_id: book, forgotten: true } : progressView(progress.codec.decode(stored, key));
  return { event: 'progress', data, audience: { user } };
}

function bookEvents(changed: readonly Book[]): readonly Told[] {
  if (changed.length > BOOKS_MAX) {
    const touched = new Set(changed.map(({ library_id: library }) => library));
    return [...touched].map((library) => ({ event: 'library', data: { id: library }, audience: { library } }));
  }
  return changed.map(({ id, library_id: library, revision, deleted_at: deleted }) => ({
    event: 'book',
    data: { id, library_id: library, revision, deleted: deleted !== null },
    audience: { library },
  }));
}
