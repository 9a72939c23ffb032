import { useQuery } from '@tanstack/react-query';
import { BookmarkPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../api/clients.ts';
import type { Bookmark } from '../../api/types.ts';
import { bookmarksQuery } from '../../api/audiobooks-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { clockTime } from '../../lib/format.ts';
import { playerState } from '../state.ts';
import { PositionRow } from './position-row.tsx';

export function BookmarkList({ bookId }: { readonly bookId: string }): ReactNode {
  const remove = useAction<string>({
    failed: 'Could not remove the bookmark',
    touches: ['audiobooks'],
    run: (id) => booksApi.DELETE('/bookmarks/{bookmark}', { params: { bookmark: id } }),
  });
  return (
    <>
      <NewBookmark bookId={bookId} />
      <Loaded query={useQuery(bookmarksQuery(bookId))}>
        {(bookmarks) => (
          <ul aria-label="Bookmarks" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {byPlace(bookmarks).map(({ id, note, position_ms: positionMs }) => (
              <PositionRow
                key={id}
                positionMs={positionMs}
                actions={
                  <IconButton label={`Remove bookmark at ${clockTime(positionMs)}`} onClick={() => remove.mutate(id)}>
                    <Trash2 className="size-4" aria-hidden />
                  </IconButton>
                }
              >
                {note === '' ? <span className="text-muted">Bookmark</span> : <bdi>{note}</bdi>}
              </PositionRow>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function NewBookmark({ bookId }: { readonly bookId: string }): ReactNode {
  const [note, setNote] = useState('');
  const add = useAction<{ readonly positionMs: number; readonly note: string }>({
    failed: 'Could not add the bookmark',
    touches: ['audiobooks'],
    run: async ({ positionMs, note: text }) => {
      const body = { position_ms: positionMs, note: text };
      await booksApi.POST('/books/{book}/bookmarks', { params: { book: bookId }, body, idempotencyKey: randomKey() });
      setNote('');
    },
  });
  return (
    <Form
      className="flex gap-2 px-1 py-1"
      onSubmit={() => {
        const positionMs = Math.round(playerState.get()?.positionMs ?? 0);
        add.mutate({ positionMs, note: note.trim() });
      }}
    >
      <input
        aria-label="Bookmark note"
        placeholder="Note (optional)"
        maxLength={2_000}
        className={controlClass}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Button type="submit" isBusy={add.isPending} icon={<BookmarkPlus className="size-4" aria-hidden />}>
        Add bookmark
      </Button>
    </Form>
  );
}

function byPlace(bookmarks: readonly Bookmark[]): readonly Bookmark[] {
  return bookmarks.toSorted((left, right) => left.position_ms - right.position_ms);
}
