import { useEffect, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAction } from '../../../api/use-action.ts';
import { statusOf } from '../../../lib/error-reason.ts';
import { type FieldName, fields, readValue, writtenValue } from './fields.ts';

interface Read {
  readonly book: Book;
  readonly etag: string | null;
}

interface BookEdit {
  /** The book when editing started. */
  readonly base: Book;
  readonly valueOf: (name: FieldName) => string;
  readonly isLocked: (name: FieldName) => boolean;
  readonly write: (name: FieldName, value: string) => void;
  readonly lock: (name: FieldName, isLocked: boolean) => void;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** The book was changed elsewhere. */
  readonly isStale: boolean;
  /** Continues from the current book, with the changes made here. */
  readonly rebase: () => void;
  readonly save: (onSaved: () => void) => void;
}

/** Unsaved changes to a book. */
export function useBookEdit(now: Read): BookEdit {
  const [base, setBase] = useState(now);
  const [written, setWritten] = useState<Readonly<Partial<Record<FieldName, string>>>>({});
  const [locks, setLocks] = useState<Readonly<Partial<Record<FieldName, boolean>>>>({});
  const names = fields.map(({ name }) => name);
  const wasLocked = (name: FieldName): boolean => base.book.locks.includes(name);
  const valueOf = (name: FieldName): string => written[name] ?? writtenValue(base.book, name);
  const isWritten = (name: FieldName): boolean => valueOf(name) !== writtenValue(base.book, name);
  // Editing a field locks it, unless the user unlocks it.
  const isLocked = (name: FieldName): boolean => locks[name] ?? (wasLocked(name) || isWritten(name));
  const changed = names.filter(isWritten);
  const moved = names.filter((name) => isLocked(name) !== wasLocked(name));
  const save = useAction({
    failed: 'Could not save the book',
    done: () => 'Saved',
    touches: ['audiobooks'],
    run: () =>
      booksApi.PATCH('/books/{book}', {
        params: { book: base.book.id },
        ...(base.etag === null ? {} : { ifMatch: base.etag }),
        body: {
          ...Object.fromEntries(changed.map((name) => [name, readValue(name, valueOf(name))])),
          // The form does not edit the cover; keep its lock.
          locks: [...names.filter(isLocked), ...(base.book.locks.includes('cover') ? (['cover'] as const) : [])],
        },
      }),
  });
  const isStale = statusOf(save.error) === 412;
  useEffect(() => {
    if (isStale) void queryClient.invalidateQueries({ queryKey: ['audiobooks', 'book'] });
  }, [isStale]);
  return {
    base: base.book,
    valueOf,
    isLocked,
    write: (name, value) => setWritten({ ...written, [name]: value }),
    lock: (name, next) => setLocks({ ...locks, [name]: next }),
    isChanged: changed.length > 0 || moved.length > 0,
    isBusy: save.isPending,
    isStale,
    rebase() {
      setBase(now);
      save.reset();
    },
    save: (onSaved) => save.mutate(undefined, { onSuccess: onSaved }),
  };
}
