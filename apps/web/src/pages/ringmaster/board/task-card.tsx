import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, Milestone } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';

import type { BoardTask } from '../../../api/types.ts';
import { useStore } from '../../../lib/store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { highlightClass } from '../../../ui/highlight-class.ts';
import { boardBadge } from '../status-badge.ts';
import { recentRingTasks } from '../workspace-stream.ts';

interface TaskCardProps {
  readonly task: BoardTask;
  readonly workspace: string;
  readonly isInTabOrder: boolean;
  readonly mayChange: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
  readonly onDrag: (task: BoardTask | undefined) => void;
  readonly onAsk: (task: BoardTask) => void;
}

export function TaskCard(props: TaskCardProps): ReactNode {
  const { task, workspace, isInTabOrder, mayChange, onKeyDown, onFocus, onBlur, onDrag, onAsk } = props;
  const isFresh = useStore(recentRingTasks).has(task.id);
  const { word, tone } = boardBadge(task);
  const reason = task.status === 'failed' ? task.last_failure : task.blocked_reason;
  return (
    <article
      aria-label={task.title}
      data-row
      data-card={task.id}
      data-fresh={isFresh || undefined}
      tabIndex={isInTabOrder ? 0 : -1}
      draggable={mayChange}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={onBlur}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', task.id);
        onDrag(task);
      }}
      onDragEnd={() => onDrag(undefined)}
      className={`grid gap-1.5 bg-surface px-3 py-2.5 -outline-offset-2 ${mayChange ? 'cursor-grab' : ''} ${highlightClass(isFresh)}`}
    >
      <div className="flex items-start gap-1">
        <Link
          to="/ringmaster/$workspace/tasks/$id"
          params={{ workspace, id: task.id }}
          tabIndex={-1}
          draggable={false}
          dir="auto"
          className="line-clamp-2 min-w-0 flex-1 text-[13px] font-medium break-words hover:underline"
        >
          {task.title}
        </Link>
        {mayChange && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Move ${task.title}`}
            title="Move"
            onClick={() => onAsk(task)}
            className="-my-1 -mr-1.5 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-text"
          >
            <ArrowLeftRight className="size-3.5" aria-hidden />
          </button>
        )}
      </div>
      {reason !== null && reason !== '' && <p className="line-clamp-2 text-xs break-words text-muted">{reason}</p>}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <Badge tone={tone}>{word}</Badge>
        <span className="font-medium">{task.priority}</span>
        {task.on_critical_path && (
          <span className="inline-flex items-center gap-1 text-accent-strong" title="On the critical path">
            <Milestone className="size-3.5" aria-hidden />
            <span className="sr-only">On the critical path</span>
          </span>
        )}
        {task.worker_id !== null && <span className="font-mono">{task.worker_id}</span>}
        <span className="font-mono">{task.id}</span>
      </p>
    </article>
  );
}
