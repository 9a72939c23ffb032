import type { ReactNode } from 'react';

import type { Commit } from '../../api/types.ts';
import { useNow } from '../../lib/clock.ts';
import { count } from '../../lib/format.ts';

const BARS = 30;
const HOUR = 3_600_000;
const WIDTH = 6;
const GAP = 2;
const HEIGHT = 32;

/** Commits of the last hour, two minutes per bar. */
export function Pulse({ commits }: { readonly commits: readonly Commit[] }): ReactNode {
  const now = useNow();
  const bars = Array.from({ length: BARS }, () => 0);
  for (const { at } of commits) {
    const age = Math.max(0, now - Date.parse(at));
    const bar = BARS - 1 - Math.floor((age / HOUR) * BARS);
    if (bar >= 0) bars[bar] = (bars[bar] ?? 0) + 1;
  }
  const total = bars.reduce((sum, value) => sum + value, 0);
  const most = Math.max(1, ...bars);
  const isCut = total === commits.length && commits.length >= 100;
  const text = `${count(total)}${isCut ? '+' : ''} ${total === 1 ? 'commit' : 'commits'} in the last hour`;
  return (
    <div>
      <svg
        role="img"
        aria-label={text}
        viewBox={`0 0 ${BARS * (WIDTH + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-8 w-full"
      >
        {bars.map((value, at) => {
          const height = value === 0 ? 2 : 4 + (value / most) * (HEIGHT - 4);
          return (
            <rect
              key={at}
              x={at * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              className={value === 0 ? 'fill-line' : 'fill-accent'}
            />
          );
        })}
      </svg>
      <p className="mt-1.5 text-[13px] text-muted">{text}</p>
    </div>
  );
}
