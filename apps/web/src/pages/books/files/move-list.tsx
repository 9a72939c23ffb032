import type { ReactNode } from 'react';

import type { Move, Refusal } from '../../../api/types.ts';
import { pathDiff, type Piece } from '../../../lib/diff.ts';
import { count } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';

const ROW_HEIGHT = 62;

/** Source and target paths, with differences highlighted. */
export function MoveList({ moves }: { readonly moves: readonly Move[] }): ReactNode {
  if (moves.length === 0) return <p className="px-5 pb-5 text-muted">This template moves no files.</p>;
  return (
    <div className="border-t border-line">
      <VirtualList
        label="Moves"
        rows={moves}
        rowHeight={ROW_HEIGHT}
        keyOf={({ from }) => from}
        render={({ from, to }) => {
          const parts = pathDiff(from, to);
          return (
            <div className="grid gap-0.5 px-5 py-2 font-mono text-[13px]">
              <Path word="from" parts={parts.from} colours="bg-bad-soft text-bad" />
              <Path word="to" parts={parts.to} colours="bg-good-soft text-good" />
            </div>
          );
        }}
      />
    </div>
  );
}

interface PathProps {
  readonly word: string;
  readonly parts: readonly Piece[];
  readonly colours: string;
}

function Path({ word, parts, colours }: PathProps): ReactNode {
  return (
    <p className="flex gap-3">
      <span className="w-8 shrink-0 font-sans text-muted">{word}</span>
      <span dir="ltr" className="min-w-0 break-all">
        {parts.map(({ text, isChanged }, at) => (
          <bdi key={at} className={isChanged ? `rounded px-0.5 ${colours}` : 'text-muted'}>
            {text}
          </bdi>
        ))}
      </span>
    </p>
  );
}

const SHOWN = 50;

interface RefusalListProps {
  readonly refusals: readonly Refusal[];
  readonly total: number;
}

/** Books that cannot be moved, and why. */
export function RefusalList({ refusals, total }: RefusalListProps): ReactNode {
  return (
    <Card title="Skipped books" description={`${count(total, 'book')}. Files are never overwritten.`} isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {refusals.slice(0, SHOWN).map(({ book_id: book, title, path, reason }) => (
          <li key={`${book} ${path}`} className="grid gap-0.5 border-l-2 border-warn px-5 py-2">
            <span className="break-words">
              <bdi className="font-medium">{title}</bdi>: {reason}
            </span>
            <bdi className="font-mono text-xs break-all text-muted">{path}</bdi>
          </li>
        ))}
      </ul>
      {total > SHOWN && (
        <p className="border-t border-line px-5 py-2 text-[13px] text-muted">{count(total - SHOWN, 'more book')}</p>
      )}
    </Card>
  );
}
