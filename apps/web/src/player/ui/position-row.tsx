import type { ReactNode } from 'react';

import { seekTo } from '../engine/controls.ts';
import { clockTime } from '../../lib/format.ts';
import { spokenTime } from '../model/time-text.ts';

interface PositionRowProps {
  readonly positionMs: number;
  readonly children: ReactNode;
  readonly isCurrent?: boolean;
  readonly actions?: ReactNode;
}

export function PositionRow({ positionMs, children, isCurrent = false, actions }: PositionRowProps): ReactNode {
  return (
    <li
      className={`flex items-center rounded-lg ${isCurrent ? 'bg-accent-soft text-accent-strong' : 'hover:bg-sunken'}`}
    >
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => seekTo(positionMs)}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-3 rounded-lg px-3 py-1.5 text-start"
      >
        <span className="min-w-0 flex-1 break-words">{children}</span>
        <span className="sr-only">at {spokenTime(positionMs)}</span>
        <span className="shrink-0 text-xs tabular-nums" aria-hidden>
          {clockTime(positionMs)}
        </span>
      </button>
      {actions}
    </li>
  );
}
