import type { ReactNode } from 'react';

import type { QueueEntry } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { ToTask } from './task-link.tsx';

interface RunningRowProps {
  readonly workspace: string;
  readonly entry: QueueEntry;
  readonly children?: ReactNode;
}

export function RunningRow({ workspace, entry, children }: RunningRowProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
      <Badge tone="busy">Running</Badge>
      <div className="min-w-0 flex-1 basis-48">
        <ToTask workspace={workspace} id={entry.task_id}>
          {entry.title}
        </ToTask>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
        <span className="font-mono text-xs">{entry.worker_id}</span>
        {entry.assigned_at !== null && (
          <span>
            started <Time at={entry.assigned_at} />
          </span>
        )}
      </p>
      {children}
    </div>
  );
}
