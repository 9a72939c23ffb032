import { ListPlus, SearchX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import type { Plan, PlanTask } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { useStore } from '../../lib/store.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { highlightClass } from '../../ui/highlight-class.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Time } from '../../ui/time.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { recentPlans } from './plan-stream.ts';
import { statusStyles, type Status, statuses } from './status.ts';

const ROW_HEIGHT = 84;

export function PlanTasks({ plan }: { readonly plan: Plan }): ReactNode {
  const { tasks, counts, session } = plan;
  const [{ status = '' }, change] = useFilters();
  const chosen = statuses.find((each) => each === status);
  const shown = useMemo(
    () => (chosen === undefined ? tasks : tasks.filter((task) => task.status === chosen)),
    [tasks, chosen],
  );
  const options: readonly { readonly value: Status | ''; readonly label: string; readonly count: number }[] = [
    { value: '', label: 'All', count: tasks.length },
    ...statuses
      .filter((each) => counts[each] > 0 || each === chosen)
      .map((each) => ({ value: each, label: statusStyles[each].word, count: counts[each] })),
  ];
  return (
    <Card title="Tasks" isFlush>
      {tasks.length === 0 ? (
        <EmptyState icon={ListPlus} title="No tasks yet">
          <p>Add the first task in the project directory:</p>
          <Command text={'np task add -t "First step" -d "How to do it"'} />
        </EmptyState>
      ) : (
        <>
          <div className="border-b border-line px-3 pb-2">
            <Segments
              label="Tasks by status"
              value={chosen ?? ''}
              options={options}
              onChange={(next) => change({ status: next })}
            />
          </div>
          {shown.length === 0 ? (
            <EmptyState icon={SearchX} title={`No ${statusStyles[chosen ?? 'pending'].word.toLowerCase()} tasks`} />
          ) : (
            <VirtualList
              label="Tasks"
              rows={shown}
              rowHeight={ROW_HEIGHT}
              keyOf={({ id }) => id}
              render={(task) => <PlanTaskRow sid={session.sid} task={task} />}
            />
          )}
        </>
      )}
    </Card>
  );
}

function PlanTaskRow({ sid, task }: { readonly sid: string; readonly task: PlanTask }): ReactNode {
  const { id, title, description, status, actor, updated_at: at } = task;
  const isFresh = useStore(recentPlans).has(`${sid}/${id}`);
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <article
      aria-label={title}
      data-fresh={isFresh || undefined}
      className={`grid gap-1.5 px-5 py-3.5 ${highlightClass(isFresh)}`}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h3
          dir="auto"
          className={`min-w-0 flex-1 basis-40 text-left font-medium break-words ${isOver ? 'text-muted' : ''}`}
        >
          {title}
        </h3>
        <Badge tone={statusStyles[status].tone}>{statusStyles[status].word}</Badge>
      </div>
      {description !== '' && <LongText text={description} />}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <span className="font-mono">{id}</span>
        {actor !== undefined && <Tag>claimed by {actor}</Tag>}
        <Time at={at} />
      </p>
    </article>
  );
}
