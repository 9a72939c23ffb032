import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { whyQuery } from '../../../api/ringmaster-queries.ts';
import type { Explanation, ShownTask } from '../../../api/types.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ToTask } from '../task-link.tsx';

interface WhyCardProps {
  readonly workspace: string;
  readonly task: ShownTask['task'];
}

/** The task's rank in the queue, and its reasons. */
export function WhyCard({ workspace, task }: WhyCardProps): ReactNode {
  const why = useQuery(whyQuery(workspace, task.id, `${task.version} ${task.combined_priority}`));
  return (
    <Card title="Ranking" description="Its score in the queue">
      <Loaded query={why}>
        {({ terms, own, combined, queue_position: rank, inherited_from: heir, holds, is_current: isCurrent }) => (
          <div className="grid gap-4">
            <p>
              {rank === null ? 'Not in the queue.' : `Number ${rank} in the queue.`}{' '}
              <span className="text-muted">Score {combined.toFixed(3)}</span>
            </p>
            <Terms terms={terms} />
            {combined > own + 1e-9 && heir !== null && (
              <p className="text-[13px] text-muted">
                Its own score is {own.toFixed(3)}; the rest is inherited from{' '}
                <ToTask workspace={workspace} id={heir}>
                  {heir}
                </ToTask>
                , which depends on it.
              </p>
            )}
            {holds.length > 0 && (
              <ul className="grid list-disc gap-1 pl-4 text-[13px] text-muted">
                {holds.map((text) => (
                  <li key={text} className="break-words">
                    {text}
                  </li>
                ))}
              </ul>
            )}
            {!isCurrent && <p className="text-[13px] text-warn">The task graph has changed since this was computed.</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const words: Readonly<Record<string, string>> = {
  pagerank: 'Dependents',
  betweenness: 'Central position',
  critical: 'Critical path',
  manual: 'Priority',
  aging: 'Waiting time',
};

/** The terms of a score as bars on one scale. */
function Terms({ terms }: { readonly terms: Explanation['terms'] }): ReactNode {
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
