import { type ReactNode, useMemo, useState } from 'react';

import { type DiffLine, diffLines, type PatchFile } from '../lib/diff.ts';
import { prettyJson } from '../lib/json.ts';
import { ScrollRegion } from './page.tsx';

const styles = {
  same: { sign: ' ', word: '', colours: 'text-muted' },
  added: { sign: '+', word: 'added: ', colours: 'bg-good-soft text-good' },
  removed: { sign: '−', word: 'removed: ', colours: 'bg-bad-soft text-bad' },
  hunk: { sign: '', word: '', colours: 'text-info' },
} as const;

interface DiffViewProps {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Shows two versions of a text or of JSON as a unified diff. */
export function DiffView({ label, before, after }: DiffViewProps): ReactNode {
  const lines = useMemo(() => {
    if (before === null) return wholeText('added', after ?? '');
    return after === null ? wholeText('removed', before) : diffLines(prettyJson(before), prettyJson(after));
  }, [before, after]);
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto rounded-lg bg-sunken py-1.5">
      <Lines lines={lines} />
    </ScrollRegion>
  );
}

function wholeText(kind: DiffLine['kind'], text: string): readonly DiffLine[] {
  return prettyJson(text)
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

export function PatchView({ path, lines, isOpen: isOpenAtFirst }: PatchFile & { readonly isOpen: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="min-w-0 overflow-hidden rounded-lg border border-line"
    >
      <summary className="bg-sunken px-3 py-1.5 font-mono text-[13px] break-all">{path}</summary>
      {isOpen && (
        <ScrollRegion label={`Changes in ${path}`} className="max-h-96 overflow-auto">
          <Lines lines={lines} />
        </ScrollRegion>
      )}
    </details>
  );
}

function Lines({ lines }: { readonly lines: readonly DiffLine[] }): ReactNode {
  return lines.map(({ kind, text }, at) => {
    const { sign, word, colours } = styles[kind];
    return (
      <div key={at} className={`flex gap-3 px-3 font-mono text-[13px] ${colours}`}>
        <span aria-hidden className="w-2.5 shrink-0 select-none">
          {sign}
        </span>
        <span className="break-all whitespace-pre-wrap">
          {word !== '' && <span className="sr-only">{word}</span>}
          {text === '' ? <span className="italic">{lines.length === 1 ? 'empty' : ' '}</span> : text}
        </span>
      </div>
    );
  });
}
