import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { Book } from '../../../api/types.ts';
import { clockTime, count } from '../../../lib/format.ts';
import { playBook } from '../../../player/player.ts';
import { Card } from '../../../ui/card.tsx';
import { lengthText } from '../book-text.ts';

const SHORT = 20;

/** Chapters to play from; the current one is highlighted. */
export function Chapters({ book }: { readonly book: Book }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { chapters, progress } = book;
  if (chapters.length === 0) return null;
  const at = progress === null || progress.finished ? -1 : progress.position_ms;
  const shown = isOpen ? chapters : chapters.slice(0, SHORT);
  return (
    <Card title="Chapters" description={count(chapters.length, 'chapter')} isFlush>
      <ol className="border-t border-line">
        {shown.map(({ index, title, start_ms: start, end_ms: end }) => {
          const isHere = at >= start && at < end;
          return (
            <li key={index} className="border-b border-line last:border-0">
              <button
                type="button"
                disabled={book.missing}
                aria-current={isHere || undefined}
                aria-label={`Play from ${title}, ${clockTime(start)}`}
                onClick={() => playBook(book, start)}
                className={`group flex w-full items-center gap-3 px-5 py-2 text-left -outline-offset-2 hover:bg-sunken ${isHere ? 'bg-accent-soft' : ''}`}
              >
                <span className="grid w-6 shrink-0 place-items-center text-[13px] text-muted tabular-nums">
                  <span className="group-hover:hidden group-focus-visible:hidden">{index + 1}</span>
                  <Play
                    className="hidden size-3.5 fill-current text-accent group-hover:block group-focus-visible:block"
                    aria-hidden
                  />
                </span>
                <span dir="auto" className="min-w-0 flex-1 break-words">
                  {title}
                </span>
                <span className="shrink-0 text-[13px] text-muted tabular-nums">{lengthText(end - start)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {chapters.length > SHORT && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="w-full border-t border-line px-5 py-2.5 text-left text-[13px] font-medium text-accent-strong -outline-offset-2 hover:bg-sunken"
        >
          {isOpen ? 'Show fewer' : `Show all ${chapters.length}`}
        </button>
      )}
    </Card>
  );
}
