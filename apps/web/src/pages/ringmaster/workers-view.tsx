import { useQuery } from '@tanstack/react-query';
import { Cpu } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { RingWorker, Workspace } from '../../api/types.ts';
import { outputQuery, queueQuery, workersQuery } from '../../api/ringmaster-queries.ts';
import { useFilters } from '../../lib/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { LiveLog } from './log/attempt-log.tsx';
import { RunningRow } from './running-row.tsx';
import { StopButton } from './stop-button.tsx';
import { WorkerTable } from './worker-table.tsx';

/** The workspace's stream is paused while output is followed. */
const PACE = { refetchInterval: 2_000 } as const;

export function WorkersView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const workers = useQuery({ ...workersQuery(workspace.id), ...PACE });
  return (
    <Loaded query={workers}>
      {(all) =>
        all.length === 0 ? (
          <Card isFlush>
            <NoWorkers />
          </Card>
        ) : (
          <Shown workspace={workspace.id} workers={all} />
        )
      }
    </Loaded>
  );
}

function Shown({
  workspace,
  workers,
}: {
  readonly workspace: string;
  readonly workers: readonly RingWorker[];
}): ReactNode {
  const [{ output }, change] = useFilters();
  const { data: queue = [] } = useQuery({ ...queueQuery(workspace), ...PACE });
  const { data: tails = [] } = useQuery({ ...outputQuery(workspace), ...PACE });
  const running = queue.filter(({ assigned_at: at }) => at !== null);
  // The first running task, then the same one even if others start.
  const [first, setFirst] = useState<string>();
  if (first === undefined && running[0] !== undefined) setFirst(running[0].task_id);
  const followed = output ?? first;
  const title = running.find(({ task_id: id }) => id === followed)?.title ?? followed;
  return (
    <>
      <Card title="Running now" description="The latest output of each worker. Select one to follow it below." isFlush>
        {running.length === 0 ? (
          <p className="border-t border-line px-5 py-4 text-muted">
            Nothing running. Start workers with <code className="font-mono text-[13px]">ringmaster run</code>.
          </p>
        ) : (
          <ul className="max-h-[34rem] divide-y divide-line overflow-y-auto border-t border-line">
            {running.map((entry) => (
              <li key={entry.task_id} className={entry.task_id === followed ? 'bg-accent-soft' : ''}>
                <RunningRow workspace={workspace} entry={entry}>
                  <div className="flex gap-2">
                    <Button
                      size="small"
                      aria-label={`Output of ${entry.title}`}
                      aria-pressed={entry.task_id === followed}
                      onClick={() => change({ output: entry.task_id })}
                    >
                      Show output
                    </Button>
                    <StopButton workspace={workspace} id={entry.task_id} title={entry.title} />
                  </div>
                </RunningRow>
                <Tail lines={tails.find(({ task_id: id }) => id === entry.task_id)?.lines ?? []} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {followed !== undefined && (
        <Card title="Output" description={<bdi>{title}</bdi>} isFlush>
          <div className="border-t border-line">
            <LiveLog
              key={followed}
              workspace={workspace}
              id={followed}
              attempt={undefined}
              label={`Output of ${followed}`}
            />
          </div>
        </Card>
      )}
      <Card title="Workers" description="Workers defined in ringmaster.toml and their results." isFlush>
        <WorkerTable workspace={workspace} workers={workers} />
      </Card>
    </>
  );
}

/** The last lines of output. */
function Tail({ lines }: { readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <pre className="overflow-hidden px-5 pb-2 font-mono text-xs text-ellipsis whitespace-pre text-muted" dir="auto">
      {lines.join('\n')}
    </pre>
  );
}

function NoWorkers(): ReactNode {
  return (
    <EmptyState icon={Cpu} title="No workers yet">
      <p>
        Define one as <code className="font-mono text-[13px]">[[workers]]</code> in ringmaster.toml, then start it:
      </p>
      <Command text="ringmaster run" />
    </EmptyState>
  );
}
