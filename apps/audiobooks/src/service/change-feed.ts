import type { EventFeed, StreamEvent } from '@holdfast/http';
import type { CommitSeen } from '@holdfast/keyspace';

import type { Book } from '../model/book.ts';
import type { Rights } from '../model/records.ts';
import { bookmarks, books, libraries, operations, playlists, progress, rights } from '../store/definitions.ts';
import type { Store } from '../store/open.ts';
import type { Listener } from './listener.ts';
import { operationView, progressView } from './views.ts';

/** The listeners who may receive an event. This field is not sent to clients. */
type Audience =
  | { readonly user: string }
  | { readonly library: string | null }
  | { readonly managers: true }
  | { readonly everyone: true };

interface AddressedEvent extends StreamEvent {
  readonly audience: Audience;
  readonly rights?: Rights | undefined;
}

/**
 * If one commit changes more books than this, for example in a scan, the feed reports a single change to the library.
 */
const BOOKS_MAX = 50;

type Change = Omit<AddressedEvent, 'id'>;

/**
 * Reports changes that any process makes to books, playlists, operations and progress. Event ids are based on commits:
 * `12-3` is the third event of commit 12, and `12` is its last event. So a client can resume exactly where it stopped.
 */
export function changeFeed(store: Store): EventFeed {
  return {
    head: async () => String(await store.revision()),
    accepts: (id) => /^\d{1,15}(?:-\d{1,6})?$/u.test(id),
    async *open(since, signal): AsyncGenerator<StreamEvent, void, undefined> {
      const [revision = 0, seen] = since.split('-').map(Number);
      const start = seen === undefined ? revision : revision - 1;
      for await (const commit of store.watchPrefix('', { since: start, signal })) {
        const events = eventsOf(commit);
        const skipped = commit.revision === revision ? (seen ?? 0) : 0;
        for (const [index, event] of events.entries()) {
          const isLast = index === events.length - 1;
          const id = isLast ? String(commit.revision) : `${commit.revision}-${index + 1}`;
          if (index >= skipped) yield { ...event, id };
        }
      }
    },
  };
}

function eventsOf({ changes }: CommitSeen): readonly Change[] {
  const found: Change[] = [];
  const changed: Book[] = [];
  for (const { key, before, after } of changes) {
    if (books.template.matches(key)) changed.push(books.codec.decode((after ?? before) as string, key));
    else if (playlists.template.matches(key)) found.push(playlistEvent(key, before as string | undefined, after));
    else found.push(...eventOf(key, after as string | undefined));
  }
  return [...found, ...bookEvents(changed)];
}

function eventOf(key: string, stored: string | undefined): readonly Change[] {
  if (operations.template.matches(key) && stored !== undefined) {
    const data = operationView(operations.codec.decode(stored, key));
    return [{ event: 'operation', data, audience: { managers: true } }];
  }
  if (libraries.template.matches(key) && stored !== undefined) {
    const { id } = libraries.codec.decode(stored, key);
    return [{ event: 'library', data: { id }, audience: { library: id } }];
  }
  if (progress.template.matches(key)) return [progressEvent(key, stored)];
  if (bookmarks.template.matches(key)) {
    const { user_id: user, book_id: book } = bookmarks.template.decode(key) as { user_id: string; book_id: string };
    return [{ event: 'bookmark', data: { book_id: book }, audience: { user } }];
  }
  if (rights.template.matches(key) && stored !== undefined) {
    const given = rights.codec.decode(stored, key);
    return [{ event: 'rights', data: {}, audience: { user: given.user_id }, rights: given }];
  }
  return [];
}

function progressEvent(key: string, stored: string | undefined): Change {
  const { user_id: user, book_id: book } = progress.template.decode(key) as { user_id: string; book_id: string };
  const data =
    stored === undefined ? { book_id: book, forgotten: true } : progressView(progress.codec.decode(stored, key));
  return { event: 'progress', data, audience: { user } };
}

function playlistEvent(key: string, before: string | undefined, after: unknown): Change {
  const { id, user_id: user, revision } = playlists.codec.decode((after ?? before) as string, key);
  return {
    event: 'playlist',
    data: { id, shared: user === null, revision, deleted: after === undefined },
    audience: user === null ? { everyone: true } : { user },
  };
}

function bookEvents(changed: readonly Book[]): readonly Change[] {
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

/**
 * Returns a filter for the events that a listener may receive. Changes to the listener's rights take effect
 * immediately.
 */
export function changesFor(listener: Listener): (event: StreamEvent) => boolean {
  let visible = listener.libraries;
  return (event) => {
    const { audience, rights: given } = event as AddressedEvent;
    if ('managers' in audience) return listener.can.manage;
    if ('everyone' in audience) return true;
    if ('library' in audience) {
      return visible === 'all' || (audience.library !== null && visible.has(audience.library));
    }
    if (audience.user !== listener.userId) return false;
    if (given !== undefined && !listener.can.manage) {
      visible = given.libraries === 'all' ? 'all' : new Set(given.libraries);
    }
    return true;
  };
}
