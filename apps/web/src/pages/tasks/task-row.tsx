import { Check, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Task } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { highlightClass } from '../../ui/highlight-class.ts';
import { Time } from '../../ui/time.tsx';
import { recentTasks } from './task-stream.ts';

export interface RowActions {
  readonly onFinish: (task: Task) => void;
  readonly onEdit: (task: Task) => void;
  readonly onRemove: (task: Task) => void;
  readonly onTag: (tag: string) => void;
}

interface TaskRowProps extends RowActions {
  readonly task: Task;
  readonly isActive: boolean;
  readonly mayChange: boolean;
}

export function TaskRow({ task, isActive, mayChange, onFinish, onEdit, onRemove, onTag }: TaskRowProps): ReactNode {
  const isFresh = useStore(recentTasks).has(task.id);
  return (
    <article
      aria-label={task.text}
      aria-current={isActive || undefined}
      data-row
      data-fresh={isFresh || undefined}
      tabIndex={-1}
      className={`group flex items-start gap-3 px-4 py-2.5 -outline-offset-2 ${highlightClass(isFresh)} ${
        isActive ? 'shadow-[inset_3px_0_0_var(--accent)]' : ''
      }`}
    >
      <CheckBox task={task} isDisabled={!mayChange} onToggle={() => onFinish(task)} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p
          dir="auto"
          className={`min-w-0 text-left break-words whitespace-pre-wrap ${task.done ? 'text-muted line-through' : ''}`}
        >
          {task.text}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          {task.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              dir="auto"
              aria-label={`Filter by #${tag}`}
              onClick={() => onTag(tag)}
              className="max-w-full truncate rounded-md border border-line bg-sunken px-1.5 py-0.5 hover:border-line-strong hover:text-text"
            >
              #{tag}
            </button>
          ))}
          <Time at={task.created} />
          <span className="font-mono max-sm:hidden">{task.id.slice(0, 12)}</span>
        </p>
      </div>
      {mayChange && (
        <div className="-my-1 flex shrink-0 max-sm:flex-col sm:opacity-60 sm:group-hover:opacity-100 sm:focus-within:opacity-100">
          <IconButton label={`Edit ${task.text}`} onClick={() => onEdit(task)}>
            <Pencil className="size-4" aria-hidden />
          </IconButton>
          <IconButton label={`Delete ${task.text}`} onClick={() => onRemove(task)}>
            <Trash2 className="size-4" aria-hidden />
          </IconButton>
        </div>
      )}
    </article>
  );
}

interface CheckBoxProps {
  readonly task: Task;
  readonly isDisabled: boolean;
  readonly onToggle: () => void;
}

function CheckBox({ task: { done, text }, isDisabled, onToggle }: CheckBoxProps): ReactNode {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={done}
      aria-label={`Mark as done: ${text}`}
      disabled={isDisabled}
      onClick={onToggle}
      className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-md border ${
        done ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-surface hover:border-accent'
      }`}
    >
      {done && <Check className="size-3.5" aria-hidden />}
    </button>
  );
}
