import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book, Bookmark } from '../../../api/types.ts';
import { bookmarksQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { playBook } from '../../../player/player.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { controlClass } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { clockTime } from '../../../lib/format.ts';

export function Bookmarks({ book }: { readonly book: Book }): ReactNode {
  const { data: bookmarks = [] } = useQuery(bookmarksQuery(book.id));
  return (
    <Card title="Bookmarks" description="Visible only to you" isFlush>
      {bookmarks.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {bookmarks.map((bookmark) => (
            <Line key={bookmark.id} book={book} bookmark={bookmark} />
          ))}
        </ul>
      )}
      <AddBookmark book={book} />
    </Card>
  );
}

function Line({ book, bookmark }: { readonly book: Book; readonly bookmark: Bookmark }): ReactNode {
  const { id, position_ms: position, note } = bookmark;
  const remove = useAction({
    failed: 'Could not remove the bookmark',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/bookmarks/{bookmark}', { params: { bookmark: id } }),
  });
  return (
    <li className="flex items-center gap-3 px-5 py-1.5">
      <button
        type="button"
        aria-label={`Play from ${clockTime(position)}`}
        onClick={() => playBook(book, position)}
        className="shrink-0 font-medium text-accent-strong tabular-nums hover:underline"
      >
        {clockTime(position)}
      </button>
      <span dir="auto" className="min-w-0 flex-1 break-words">
        {note}
      </span>
      <IconButton label={`Remove bookmark at ${clockTime(position)}`} onClick={() => remove.mutate()}>
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
    </li>
  );
}

function AddBookmark({ book }: { readonly book: Book }): ReactNode {
  const [note, setNote] = useState('');
  const position = book.progress?.position_ms ?? 0;
  const add = useAction({
    failed: 'Could not add the bookmark',
    touches: ['audiobooks'],
    run: () =>
      booksApi.POST('/books/{book}/bookmarks', {
        params: { book: book.id },
        body: { position_ms: position, note: note.trim() },
        idempotencyKey: randomKey(),
      }),
  });
  return (
    <Form
      className="flex items-center gap-2 border-t border-line px-5 py-3"
      onSubmit={() => add.mutate(undefined, { onSuccess: () => setNote('') })}
    >
      <input
        aria-label={`Note for a bookmark at ${clockTime(position)}`}
        placeholder={`Note for ${clockTime(position)}`}
        dir="auto"
        maxLength={2_000}
        className={controlClass}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Button type="submit" isBusy={add.isPending}>
        Add bookmark
      </Button>
    </Form>
  );
}
