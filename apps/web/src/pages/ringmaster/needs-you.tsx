import type { ReactNode } from 'react';

import type { BoardTask, Inquiry } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { AnswerForm } from './answer-form.tsx';
import { looks } from './look.ts';
import { ToTask } from './task-link.tsx';

interface NeedsYouProps {
  readonly workspace: string;
  readonly inquiries: readonly Inquiry[];
  readonly failed: readonly BoardTask[];
  readonly review: readonly BoardTask[];
}

/** What goes on only when a person does something: answers first, then what failed, then what waits to be looked at. */
export function NeedsYou({ workspace, inquiries, failed, review }: NeedsYouProps): ReactNode {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {inquiries.map((inquiry) => (
        <li key={inquiry.task_id}>
          <AnswerForm workspace={workspace} inquiry={inquiry} />
        </li>
      ))}
      {[...failed, ...review].map((task) => (
        <li key={task.id} className="grid gap-1 px-5 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={looks[task.status].tone}>{looks[task.status].word}</Badge>
            <ToTask workspace={workspace} id={task.id}>
              {task.title}
            </ToTask>
          </div>
          {task.last_failure !== null && (
            <p className="line-clamp-2 text-[13px] break-words text-muted">{task.last_failure}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
