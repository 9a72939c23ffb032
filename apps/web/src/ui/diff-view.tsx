import { type ReactNode, useMemo } from 'react';

import { diffLines } from '../lib/diff.ts';
import { prettyJson } from '../lib/json.ts';

interface DiffViewProps {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

const looks = {
  same: { sign: ' ', word: '', colours: 'text-muted' },
  added: { sign: '+', word: 'added: ', colours: 'bg-good-soft text-good' },
  removed: { sign: '−', word: 'removed: ', colours: 'bg-bad-soft text-bad' },
} as const;

export function DiffView({ label, before, after }: DiffViewProps): ReactNode {
  const lines = useMemo(() => {
    if (before === null)
      return prettyJson(after ?? '')
        .split('\n')
        .map((text) => ({ kind: 'added', text }) as const);
    if (after === null)
      return prettyJson(before)
        .split('\n')
        .map((text) => ({ kind: 'removed', text }) as const);
    return diffLines(prettyJson(before), prettyJson(after));
  }, [before, after]);
  return (
    // What scrolls must be reachable by keyboard
    <div
      className="relative overflow-x-auto rounded-lg bg-sunken font-mono text-[13px]"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {lines.map(({ kind, text }, at) => {
        const { sign, word, colours } = looks[kind];
        return (
          <div key={at} className={`flex gap-3 px-3 first:pt-1.5 last:pb-1.5 ${colours}`}>
            <span aria-hidden className="w-2.5 shrink-0 select-none">
              {sign}
            </span>
            <span className="break-all whitespace-pre-wrap">
              {word !== '' && <span className="sr-only">{word}</span>}
              {text === '' ? <span className="italic">{lines.length === 1 ? 'empty' : ' '}</span> : text}
            </span>
          </div>
        );
      })}
    </div>
  );
}
