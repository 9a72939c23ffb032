import type { ReactNode } from 'react';

import type { Explanation } from '../../api/types.ts';

const parts = [
  { name: 'pagerank', word: 'much depends on it', colour: 'bg-accent' },
  { name: 'betweenness', word: 'many ways lead through it', colour: 'bg-info' },
  { name: 'critical', word: 'it is on the critical path', colour: 'bg-bad' },
  { name: 'manual', word: 'its priority', colour: 'bg-warn' },
  { name: 'aging', word: 'it has waited', colour: 'bg-good' },
] as const;

/** The terms of a score as parts of one bar; the words beside it say the same. */
export function ReasonBar({ terms }: { readonly terms: Explanation['terms'] }): ReactNode {
  return (
    <div aria-hidden className="flex h-1.5 max-w-md gap-px overflow-hidden rounded-full bg-line">
      {parts.map(({ name, colour }) => (
        <span key={name} className={colour} style={{ width: `${Math.min(1, terms[name] ?? 0) * 100}%` }} />
      ))}
    </div>
  );
}

const WORTH_TELLING = 0.005;

/** The reason for a rank in words, what counts most first. */
export function reasonOf({ terms, inherited_from: heir, combined, own }: Explanation): string {
  const told = parts
    .map(({ name, word }) => ({ word, value: terms[name] ?? 0 }))
    .filter(({ value }) => value >= WORTH_TELLING)
    .toSorted((left, right) => right.value - left.value)
    .map(({ word, value }) => `${word} (${value.toFixed(2)})`);
  if (heir !== null && combined > own) told.unshift(`${heir} waits for it`);
  return told.length === 0 ? 'Nothing puts it ahead of others.' : `Because ${told.join(', ')}.`;
}
