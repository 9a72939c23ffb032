import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ShownTask } from '../../../api/types.ts';
import { whyQuery } from '../../../api/ringmaster-queries.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ToTask } from '../task-link.tsx';
import { Terms } from './terms.tsx';

interface WhyCardProps {
  readonly workspace: string;
  readonly task: ShownTask['task'];
}

/** Where it stands in the queue, and what puts it there. */
export function WhyCard({ workspace, task }: WhyCardProps): ReactNode {
  const why = useQuery(whyQuery(workspace, task.id, `${task.version} ${task.combined_priority}`));
  return (
    <Card title="Why here" description="Its score in the queue">
      <Loaded query={why}>
        {({ terms, own, combined, queue_position: rank, inherited_from: heir, holds, is_current: isCurrent }) => (
          <div className="grid gap-4">
            <p>
              {rank === null ? 'Not in the queue.' : `Number ${rank} of what may begin.`}{' '}
              <span className="text-muted">Score {combined.toFixed(3)}</span>
            </p>
            <Terms terms={terms} />
            {combined > own + 1e-9 && heir !== null && (
              <p className="text-[13px] text-muted">
                Its own terms come to {own.toFixed(3)}; the rest it has from{' '}
                <ToTask workspace={workspace} id={heir}>
                  {heir}
                </ToTask>
                , which waits for it.
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
            {!isCurrent && <p className="text-[13px] text-warn">The graph has changed since this was worked out.</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
