import type { ReactNode } from 'react';

import type { PlanTask } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { freshClass } from '../../ui/fresh-class.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Time } from '../../ui/time.tsx';
import { freshPlans } from './plan-stream.ts';
import { looks } from './status.ts';

export function PlanTaskRow({ sid, task }: { readonly sid: string; readonly task: PlanTask }): ReactNode {
  const { id, title, description, status, actor, updated_at: at } = task;
  const isFresh = useStore(freshPlans).has(`${sid}/${id}`);
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <article
      aria-label={title}
      data-fresh={isFresh || undefined}
      className={`grid gap-1.5 px-5 py-3.5 ${freshClass(isFresh)}`}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h3
          dir="auto"
          className={`min-w-0 flex-1 basis-40 text-left font-medium break-words ${isOver ? 'text-muted' : ''}`}
        >
          {title}
        </h3>
        <Badge tone={looks[status].tone}>{looks[status].word}</Badge>
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
