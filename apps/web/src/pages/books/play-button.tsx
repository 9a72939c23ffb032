import { Play } from 'lucide-react';
import type { ReactNode } from 'react';

import type { BookRow } from '../../api/types.ts';
import { playBook } from '../../player/player.ts';
import { Button } from '../../ui/button.tsx';

/** On top of a cover; always visible on touch screens. */
export function CoverPlayButton({ book, isInTabOrder = true }: CoverPlayButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={`Play ${book.title}`}
      tabIndex={isInTabOrder ? 0 : -1}
      onClick={() => playBook(book)}
      className="absolute right-2 bottom-2 grid size-9 place-items-center rounded-full bg-accent text-on-accent opacity-0 shadow-lg transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-accent-strong focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
    >
      <Play className="size-4 translate-x-px fill-current" aria-hidden />
    </button>
  );
}

interface CoverPlayButtonProps {
  readonly book: BookRow;
  readonly isInTabOrder?: boolean;
}

export function PlayButton({ book }: { readonly book: BookRow }): ReactNode {
  const { progress } = book;
  const word = progress === null ? 'Play' : progress.finished ? 'Listen again' : 'Resume';
  return (
    <Button
      variant="primary"
      icon={<Play className="size-4 fill-current" aria-hidden />}
      aria-label={`${word} ${book.title}`}
      onClick={() => (progress?.finished === true ? playBook(book, 0) : playBook(book))}
    >
      {word}
    </Button>
  );
}
