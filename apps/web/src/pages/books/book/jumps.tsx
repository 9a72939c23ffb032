import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { jumpsQuery } from '../../../api/audiobooks-queries.ts';
import type { Book } from '../../../api/types.ts';
import { playBook } from '../../../player/player.ts';
import { Card } from '../../../ui/card.tsx';
import { Time } from '../../../ui/time.tsx';
import { placeText } from '../words.ts';

const SHOWN = 8;

/** Where one was before the last leaps, on whichever device: nobody loses a place by a slip of the finger. */
export function Jumps({ book }: { readonly book: Book }): ReactNode {
  const { data: jumps = [] } = useQuery(jumpsQuery(book.id));
  if (jumps.length === 0) return null;
  return (
    <Card title="Jump back" description="Where you were before." isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {jumps.slice(0, SHOWN).map(({ position_ms: position, at, reason }) => (
          <li key={`${at} ${position}`}>
            <button
              type="button"
              aria-label={`Go back to ${placeText(position)}`}
              onClick={() => playBook(book, position)}
              className="flex w-full items-center gap-3 px-5 py-2 text-left -outline-offset-2 hover:bg-sunken"
            >
              <span className="font-medium text-accent-strong tabular-nums">{placeText(position)}</span>
              <span className="min-w-0 flex-1 truncate text-[13px] text-muted">{reason}</span>
              <span className="text-[13px] text-muted">
                <Time at={at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
