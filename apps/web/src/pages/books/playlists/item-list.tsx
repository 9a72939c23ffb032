import { ArrowDown, ArrowUp, GripVertical, ListMusic, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { PlaylistItem } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Announce } from '../../../ui/announce.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { BookLine } from '../book-line.tsx';
import { moved, targetOf } from './moved.ts';

interface ItemListProps {
  readonly playlistId: string;
  readonly items: readonly PlaylistItem[];
}

interface Order {
  readonly shown: readonly PlaylistItem[];
  /** The last move, for screen readers. */
  readonly said: string;
  readonly put: (from: number, to: number) => void;
}

/** The order after a move, before the server has confirmed it. */
function useOrder({ playlistId, items }: ItemListProps): Order {
  const [waiting, setWaiting] = useState<readonly PlaylistItem[]>();
  const [said, setSaid] = useState('');
  const [known, setKnown] = useState(items);
  if (known !== items) {
    setKnown(items);
    setWaiting(undefined);
  }
  const shown = waiting ?? items;
  const move = useAction<{ readonly book: string; readonly before: string | null }>({
    failed: 'Could not move the book',
    touches: ['audiobooks'],
    run: async ({ book, before }) => {
      const params = { playlist: playlistId, book };
      await booksApi.PUT('/playlists/{playlist}/items/{book}', { params, body: before === null ? {} : { before } });
    },
  });
  const put = (from: number, to: number): void => {
    const item = shown[from];
    const ids = shown.map(({ book }) => book.id);
    const before = targetOf(ids, from, to);
    if (item === undefined || before === undefined || waiting !== undefined) return;
    setWaiting(moved(shown, from, to));
    setSaid(`Moved ${item.book.title} to position ${to + 1} of ${shown.length}`);
    move.mutate({ book: item.book.id, before }, { onError: () => setWaiting(undefined) });
  };
  return { shown, said, put };
}

/** Books in order, reordered by dragging or with buttons. */
export function ItemList({ playlistId, items }: ItemListProps): ReactNode {
  const [dragged, setDragged] = useState<number>();
  const { shown, said, put } = useOrder({ playlistId, items });
  const remove = useAction<string>({
    failed: 'Could not remove the book',
    touches: ['audiobooks'],
    run: (book) =>
      booksApi.DELETE('/playlists/{playlist}/items', { params: { playlist: playlistId }, query: { books: [book] } }),
  });
  if (shown.length === 0)
    return (
      <EmptyState icon={ListMusic} title="No books yet">
        <p>Search for books below to add them.</p>
      </EmptyState>
    );
  return (
    <>
      <ol aria-label="Books" className="divide-y divide-line">
        {shown.map(({ book }, at) => (
          <li
            key={book.id}
            draggable
            onDragStart={() => setDragged(at)}
            onDragOver={(event: DragEvent) => event.preventDefault()}
            onDrop={() => dragged !== undefined && put(dragged, at)}
            onDragEnd={() => setDragged(undefined)}
            className={`flex items-center ${dragged === at ? 'opacity-50' : ''}`}
          >
            <GripVertical className="ml-2 size-4 shrink-0 cursor-grab text-muted" aria-hidden />
            <div className="min-w-0 flex-1">
              <BookLine book={book}>
                <Buttons
                  title={book.title}
                  isFirst={at === 0}
                  isLast={at === shown.length - 1}
                  onMove={(by) => put(at, at + by)}
                  onRemove={() => remove.mutate(book.id)}
                />
              </BookLine>
            </div>
          </li>
        ))}
      </ol>
      <Announce text={said} />
    </>
  );
}

interface ButtonsProps {
  readonly title: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** Not disabled at the ends, because a book that arrives there would lose the focus. */
function Buttons({ title, isFirst, isLast, onMove, onRemove }: ButtonsProps): ReactNode {
  return (
    <span className="flex shrink-0">
      <IconButton label={`Move ${title} up`} aria-disabled={isFirst} onClick={() => onMove(-1)}>
        <ArrowUp className={`size-4 ${isFirst ? 'opacity-40' : ''}`} aria-hidden />
      </IconButton>
      <IconButton label={`Move ${title} down`} aria-disabled={isLast} onClick={() => onMove(1)}>
        <ArrowDown className={`size-4 ${isLast ? 'opacity-40' : ''}`} aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${title}`} onClick={onRemove}>
        <X className="size-4" aria-hidden />
      </IconButton>
    </span>
  );
}
