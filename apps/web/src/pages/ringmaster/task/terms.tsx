import type { ReactNode } from 'react';

import type { Explanation } from '../../../api/types.ts';

const words: Readonly<Record<string, string>> = {
  pagerank: 'Much depends on it',
  betweenness: 'Many ways lead through it',
  critical: 'On the critical path',
  manual: 'Priority given by hand',
  aging: 'Has waited',
};

/** Each term of a score as a bar, on one scale. */
export function Terms({ terms }: { readonly terms: Explanation['terms'] }): ReactNode {
  const most = Math.max(...Object.values(terms), 0.001);
  return (
    <ul className="grid gap-2">
      {Object.entries(terms).map(([name, value]) => (
        <li key={name} className="grid gap-1">
          <div className="flex justify-between gap-3 text-[13px]">
            <span className="text-muted">{words[name] ?? name}</span>
            <span className="tabular-nums">{value.toFixed(3)}</span>
          </div>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
            <div className="h-full rounded-full bg-accent" style={{ width: `${(value / most) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
