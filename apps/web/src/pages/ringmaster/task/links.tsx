import type { ReactNode } from 'react';

import type { ShownTask } from '../../../api/types.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { statusBadge } from '../status-badge.ts';
import { ToTask } from '../task-link.tsx';

interface LinksProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

interface Linked {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type?: string;
  readonly is_held?: boolean;
}

/** Dependencies, dependents and subtasks. */
export function Links({ workspace, shown }: LinksProps): ReactNode {
  const { dependencies, dependents, children, progress } = shown;
  if (dependencies.length + dependents.length + children.length === 0) return null;
  return (
    <Card title="Related tasks">
      <div className="grid gap-5">
        <Group workspace={workspace} title="Depends on" links={dependencies} />
        <Group workspace={workspace} title="Blocks" links={dependents} />
        <Group workspace={workspace} title={`Subtasks, ${progress.done} of ${progress.total} done`} links={children} />
      </div>
    </Card>
  );
}

interface GroupProps {
  readonly workspace: string;
  readonly title: string;
  readonly links: readonly Linked[];
}

function Group({ workspace, title, links }: GroupProps): ReactNode {
  if (links.length === 0) return null;
  return (
    <div className="grid gap-2">
      <h3 className="text-[13px] font-medium text-muted">{title}</h3>
      <ul className="grid max-h-72 gap-2 overflow-y-auto">
        {links.map(({ id, title: text, status, type, is_held: isHeld = false }) => (
          <li key={`${id} ${type}`} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={statusBadge(status, isHeld).tone}>{statusBadge(status, isHeld).word}</Badge>
            <ToTask workspace={workspace} id={id}>
              {text}
            </ToTask>
            {type !== undefined && type !== 'blocks' && <span className="text-xs text-muted">{type}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
