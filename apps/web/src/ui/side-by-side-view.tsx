import { type ReactNode, useMemo, useState } from 'react';

import { folded, type Piece, type Side, sideBySide, type SideFold, type SideRow } from '../lib/diff.ts';
import { count } from '../lib/format.ts';
import { useMedia } from '../lib/media.ts';
import { ScrollRegion } from './page.tsx';

interface SideBySideViewProps {
  readonly before: string;
  readonly after: string;
  readonly beforeName: string;
  readonly afterName: string;
}

export function SideBySideView({ before, after, beforeName, afterName }: SideBySideViewProps): ReactNode {
  const rows = useMemo(() => folded(sideBySide(before, after)), [before, after]);
  const isWide = useMedia('(min-width: 48rem)');
  if (before === after) return <p className="p-5 text-muted">The versions are identical.</p>;
  return (
    <ScrollRegion label="Differences" className="relative max-h-[70vh] overflow-auto">
      <table className="w-full table-fixed border-collapse font-mono text-[13px] leading-5">
        <colgroup>
          <col className="w-10" />
          <col />
          {isWide && <col className="w-10" />}
          {isWide && <col />}
        </colgroup>
        <thead className="font-sans text-left text-muted">
          <tr className="border-b border-line">
            <th scope="colgroup" colSpan={2} className="px-3 py-2 font-medium">
              {isWide ? beforeName : `${beforeName} → ${afterName}`}
            </th>
            {isWide && (
              <th scope="colgroup" colSpan={2} className="border-l border-line px-3 py-2 font-medium">
                {afterName}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) =>
            'hidden' in row ? (
              <Fold key={at} fold={row} isWide={isWide} />
            ) : (
              <Lines key={at} row={row} isWide={isWide} />
            ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Fold({ fold, isWide }: { readonly fold: SideFold; readonly isWide: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return fold.hidden.map((row, at) => <Lines key={at} row={row} isWide={isWide} />);
  return (
    <tr>
      <td colSpan={isWide ? 4 : 2} className="border-y border-line bg-sunken p-0">
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="w-full px-3 py-1 text-left font-sans text-[13px] text-muted -outline-offset-2 hover:text-text"
        >
          Show {count(fold.hidden.length, 'unchanged line')}
        </button>
      </td>
    </tr>
  );
}

function Lines({ row, isWide }: { readonly row: SideRow; readonly isWide: boolean }): ReactNode {
  const { isSame, left, right } = row;
  if (isWide) {
    return (
      <tr className="align-top">
        <Cells side={left} kind={isSame ? 'same' : 'removed'} />
        <Cells side={right} kind={isSame ? 'same' : 'added'} isSecond />
      </tr>
    );
  }
  const unified = isSame
    ? [{ side: right, kind: 'same' } as const]
    : [{ side: left, kind: 'removed' } as const, { side: right, kind: 'added' } as const];
  return unified
    .filter(({ side }) => side !== undefined)
    .map(({ side, kind }) => (
      <tr key={kind} className="align-top">
        <Cells side={side} kind={kind} />
      </tr>
    ));
}

const styles = {
  same: { row: '', piece: '', word: '' },
  removed: { row: 'bg-bad-soft', piece: 'rounded-xs bg-bad/25', word: 'removed: ' },
  added: { row: 'bg-good-soft', piece: 'rounded-xs bg-good/25', word: 'added: ' },
} as const;

interface CellsProps {
  readonly side: Side | undefined;
  readonly kind: keyof typeof styles;
  readonly isSecond?: boolean;
}

function Cells({ side, kind, isSecond = false }: CellsProps): ReactNode {
  const edge = isSecond ? 'border-l border-line' : '';
  if (side === undefined) return <td colSpan={2} className={`bg-sunken ${edge}`} />;
  const { row, word } = styles[kind];
  return (
    <>
      <td className={`px-2 text-right text-muted tabular-nums select-none ${row} ${edge}`}>{side.line}</td>
      <td className={`px-2 break-words whitespace-pre-wrap ${row}`}>
        {word !== '' && <span className="sr-only">{word}</span>}
        {side.pieces.map((piece, at) => (
          <Text key={at} piece={piece} kind={kind} />
        ))}
      </td>
    </>
  );
}

function Text({ piece: { text, isChanged }, kind }: { readonly piece: Piece; readonly kind: keyof typeof styles }) {
  return isChanged ? <span className={styles[kind].piece}>{text}</span> : text;
}
