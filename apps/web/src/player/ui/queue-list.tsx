import { ArrowDown, ArrowUp, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { IconButton } from '../../ui/button.tsx';
import type { PlayableBook } from '../book.ts';
import { currentPlayer } from '../engine/player.ts';
import { Cover } from '../../pages/books/cover.tsx';

function setQueue(queue: readonly PlayableBook[]): void {
  currentPlayer.get()?.setQueue(queue);
}

export function QueueList({ queue }: { readonly queue: readonly PlayableBook[] }): ReactNode {
  if (queue.length === 0)
    return <p className="px-3 py-4 text-muted">No books in the queue. Play a playlist to fill it.</p>;
  const move = (from: number, to: number): void => {
    const next = [...queue];
    next.splice(to, 0, ...next.splice(from, 1));
    setQueue(next);
  };
  return (
    <ol aria-label="Up next" className="grid max-h-80 gap-0.5 overflow-y-auto">
      {queue.map((book, at) => (
        <li key={`${book.id} ${at}`} className="flex items-center gap-1 rounded-lg px-2 py-1 hover:bg-sunken">
          <span className="w-9 shrink-0">
            <Cover book={book} size={96} />
          </span>
          <bdi className="min-w-0 flex-1 truncate px-2">{book.title}</bdi>
          {at > 0 && (
            <IconButton label={`Move ${book.title} up`} onClick={() => move(at, at - 1)}>
              <ArrowUp className="size-4" aria-hidden />
            </IconButton>
          )}
          {at < queue.length - 1 && (
            <IconButton label={`Move ${book.title} down`} onClick={() => move(at, at + 1)}>
              <ArrowDown className="size-4" aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={`Remove ${book.title}`}
            onClick={() => setQueue(queue.filter((_book, index) => index !== at))}
          >
            <X className="size-4" aria-hidden />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
