import { useQuery } from '@tanstack/react-query';
import { Check, GripVertical, ListMusic, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { PlaylistItem } from '../../../api/types.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/field.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { BookLine } from '../book-list.tsx';
import { MoveButtons, moved } from '../move-buttons.tsx';
import { findBooksQuery } from './playlist-queries.ts';

interface ManualPlaylistProps {
  readonly playlistId: string;
  readonly items: readonly PlaylistItem[];
}

export function ManualPlaylist({ playlistId, items }: ManualPlaylistProps): ReactNode {
  return (
    <>
      <Card isFlush>
        {items.length === 0 ? (
          <EmptyState icon={ListMusic} title="No books yet">
            <p>Search for books below to add them.</p>
          </EmptyState>
        ) : (
          <ItemList playlistId={playlistId} items={items} />
        )}
      </Card>
      <AddBooks playlistId={playlistId} items={items} />
    </>
  );
}

/** Shows the books in order. Users reorder them by dragging or with buttons. */
function ItemList({ playlistId, items }: ManualPlaylistProps): ReactNode {
  const [dragged, setDragged] = useState<number>();
  const { shown, announcement, move } = useOrder({ playlistId, items });
  const remove = useBooksAction<string>({
    failed: 'Could not remove the book',
    run: (book) =>
      booksApi.DELETE('/playlists/{playlist}/items', { params: { playlist: playlistId }, query: { books: [book] } }),
  });
  return (
    <>
      <ol aria-label="Books" className="divide-y divide-line">
        {shown.map(({ book }, at) => (
          <li
            key={book.id}
            draggable
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== undefined && move(dragged, at)}
            onDragEnd={() => setDragged(undefined)}
            className={`flex items-center ${dragged === at ? 'opacity-50' : ''}`}
          >
            <GripVertical className="ml-2 size-4 shrink-0 cursor-grab text-muted" aria-hidden />
            <div className="min-w-0 flex-1">
              <BookLine book={book}>
                <MoveButtons title={book.title} at={at} length={shown.length} onMove={(to) => move(at, to)} />
                <IconButton label={`Remove ${book.title}`} icon={X} onClick={() => remove.mutate(book.id)} />
              </BookLine>
            </div>
          </li>
        ))}
      </ol>
      <Announce text={announcement} />
    </>
  );
}

/** After a move, shows the new order before the server has confirmed it. */
function useOrder({ playlistId, items }: ManualPlaylistProps) {
  const [waiting, setWaiting] = useState<readonly PlaylistItem[]>();
  const [announcement, setAnnouncement] = useState('');
  const [known, setKnown] = useState(items);
  if (known !== items) {
    setKnown(items);
    setWaiting(undefined);
  }
  const shown = waiting ?? items;
  const save = useBooksAction<{ readonly book: string; readonly before: string | null }>({
    failed: 'Could not move the book',
    run: ({ book, before }) =>
      booksApi.PUT('/playlists/{playlist}/items/{book}', {
        params: { playlist: playlistId, book },
        body: before === null ? {} : { before },
      }),
  });
  const move = (from: number, to: number): void => {
    const item = shown[from];
    if (item === undefined || from === to || to < 0 || to >= shown.length || waiting !== undefined) return;
    const next = moved(shown, from, to);
    setWaiting(next);
    setAnnouncement(`Moved ${item.book.title} to position ${to + 1} of ${shown.length}`);
    const before = next[to + 1]?.book.id ?? null;
    save.mutate({ book: item.book.id, before }, { onError: () => setWaiting(undefined) });
  };
  return { shown, announcement, move };
}

function AddBooks({ playlistId, items }: ManualPlaylistProps): ReactNode {
  const [text, setText] = useState('');
  const q = text.trim();
  const { data: found = [] } = useQuery(findBooksQuery(q));
  const add = useBooksAction<string>({
    failed: 'Could not add the book',
    run: (book) =>
      booksApi.POST('/playlists/{playlist}/items', {
        params: { playlist: playlistId },
        body: { books: [book] },
        idempotencyKey: randomKey(),
      }),
  });
  const shown = q === '' ? [] : found;
  return (
    <Card title="Add books">
      <SearchBox label="Title, author, series or narrator" value={text} onChange={setText} />
      <ul aria-label="Search results" className="mt-3 grid">
        {shown.map((book) => (
          <li key={book.id}>
            <BookLine book={book}>
              {items.some((item) => item.book.id === book.id) ? (
                <span className="flex items-center gap-1.5 text-[13px] text-good">
                  <Check className="size-4" aria-hidden />
                  Added
                </span>
              ) : (
                <Button
                  size="small"
                  icon={Plus}
                  aria-label={`Add ${book.title}`}
                  isBusy={add.isPending && add.variables === book.id}
                  onClick={() => add.mutate(book.id)}
                >
                  Add book
                </Button>
              )}
            </BookLine>
          </li>
        ))}
      </ul>
      {q !== '' && shown.length === 0 && <p className="text-muted">No matching books</p>}
    </Card>
  );
}
