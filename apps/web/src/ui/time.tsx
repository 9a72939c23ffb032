import type { ReactNode } from 'react';

import { useNow } from '../lib/clock.ts';
import { exactTime, relativeTime } from '../lib/format.ts';

export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(then)} className="whitespace-nowrap">
      {relativeTime(then, now)}
    </time>
  );
}
