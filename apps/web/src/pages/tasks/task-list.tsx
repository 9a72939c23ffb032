import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Check, ListTodo, Pencil, SearchX, Trash2 } from 'lucide-react';
import type { MouseEvent, ReactNode, Ref } from 'react';

import type { Task } from '../../api/types.ts';
import { count, dateAndTime, dayText } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { Time } from '../../ui/badge.tsx';
import { Command, IconButton } from '../../ui/button.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { EmptyState, Failure, Skeleton } from '../../ui/page.tsx';
import { highlightClass } from '../../ui/timeline.tsx';
import { type ListControls, VirtualList } from '../../ui/virtual-list.tsx';
import { TaskEditor } from './task-editor.tsx';
import { recentTasks } from './task-stream.ts';
import type { Selection } from './use-selection.ts';
import type { Editor } from './use-tasks.ts';

interface TaskListProps extends RowActions {
  readonly query: Pick<UseInfiniteQueryResult, 'isError' | 'error' | 'isPending' | 'refetch'>;
  readonly tasks: readonly Task[];
  readonly active: number;
  readonly editor: Editor;
  readonly selection: Selection;
  readonly isFiltered: boolean;
  readonly mayChange: boolean;
  readonly controls: Ref<ListControls>;
  readonly onEnd: () => void;
}

const ROW_HEIGHT = 62;

export function TaskList(props: TaskListProps): ReactNode {
  const { query, tasks, active, editor, selection, isFiltered, mayChange, controls, onEnd, ...actions } = props;
  const { draft } = editor;
  // The editor stays open if its task leaves the list.
  const isElsewhere = draft !== undefined && !tasks.some(({ id }) => id === draft.base.id);
  return (
    <>
      {isElsewhere && <TaskEditor editor={editor} draft={draft} />}
      {tasks.length > 0 ? (
        <VirtualList
          label="Tasks"
          rows={tasks}
          rowHeight={ROW_HEIGHT}
          keyOf={({ id }) => id}
          onEnd={onEnd}
          controls={controls}
          render={(task) =>
            task.id === draft?.base.id ? (
              <TaskEditor editor={editor} draft={draft} />
            ) : (
              <TaskRow
                task={task}
                isActive={tasks[active]?.id === task.id}
                selection={selection}
                mayChange={mayChange}
                {...actions}
              />
            )
          }
        />
      ) : query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton lines={6} />
      ) : (
        !isElsewhere && <Nothing isFiltered={isFiltered} />
      )}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No matching tasks">
        <p>Select fewer tags, change the search, or show all tasks.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ListTodo} title="No open tasks">
      <p>Add one above, or in a terminal:</p>
      <Command text={'ut add "Buy milk" -t errand'} />
    </EmptyState>
  );
}

interface RowActions {
  readonly onFinish: (task: Task) => void;
  readonly onEdit: (task: Task) => void;
  readonly onRemove: (task: Task) => void;
  readonly onTag: (tag: string) => void;
}

interface TaskRowProps extends RowActions {
  readonly task: Task;
  readonly isActive: boolean;
  readonly selection: Selection;
  readonly mayChange: boolean;
}

function TaskRow(props: TaskRowProps): ReactNode {
  const { task, isActive, selection, mayChange, onFinish, onEdit, onRemove, onTag } = props;
  const isFresh = useStore(recentTasks).has(task.id);
  const isSelected = selection.ids.has(task.id);
  const onClick = (event: MouseEvent): void => {
    if (!mayChange || (event.target instanceof Element && event.target.closest('a, button, input') !== null)) return;
    if (event.shiftKey) selection.extendTo(task.id);
    else if (event.ctrlKey || event.metaKey || selection.isActive) selection.toggle(task.id);
  };
  return (
    <article
      aria-label={task.text}
      aria-current={isActive || undefined}
      data-row
      data-fresh={isFresh || undefined}
      tabIndex={-1}
      onClick={onClick}
      // Without this, a click with Shift would select the text of all rows in between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onDoubleClick={() => mayChange && !selection.isActive && onEdit(task)}
      className={`group flex items-start gap-3 px-4 py-2.5 -outline-offset-2 ${highlightClass(isFresh)} ${
        isActive ? 'shadow-[inset_3px_0_0_var(--accent)]' : ''
      } ${isSelected ? 'bg-accent-soft' : ''}`}
    >
      {selection.isActive ? (
        <input
          type="checkbox"
          aria-label={`Select ${task.text}`}
          className="mt-1 size-4 shrink-0 accent-accent"
          checked={isSelected}
          onChange={() => selection.toggle(task.id)}
        />
      ) : (
        <CheckBox task={task} isDisabled={!mayChange} onToggle={() => onFinish(task)} />
      )}
      <div className="grid min-w-0 flex-1 gap-1">
        <p
          dir="auto"
          className={`min-w-0 text-left break-words whitespace-pre-wrap ${task.done ? 'text-muted line-through' : ''}`}
        >
          <LinkedText text={task.text} />
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
          <Details task={task} />
          <Time at={task.created} />
          <span className="font-mono max-sm:hidden">{task.id.slice(0, 12)}</span>
        </p>
      </div>
      {mayChange && (
        <div className="-my-1 flex shrink-0 max-sm:flex-col sm:opacity-60 sm:group-hover:opacity-100 sm:focus-within:opacity-100">
          <IconButton icon={Pencil} label={`Edit ${task.text}`} onClick={() => onEdit(task)} />
          <IconButton icon={Trash2} label={`Delete ${task.text}`} onClick={() => onRemove(task)} />
        </div>
      )}
    </article>
  );
}

/** Whether the due day, or the due time, has passed. */
function isOverdue(due: string): boolean {
  return due.includes('T') ? Date.parse(due) < Date.now() : due < new Date().toLocaleDateString('sv');
}

function dueText(due: string): string {
  return due.includes('T') ? dateAndTime(Date.parse(due)) : dayText(Date.parse(due));
}

function Details({ task }: { readonly task: Task }): ReactNode {
  const { done, due, priority, project, notes = [] } = task;
  return (
    <>
      {due !== undefined && (
        <span className={!done && isOverdue(due) ? 'font-medium text-bad' : ''}>
          {!done && isOverdue(due) ? 'Overdue' : 'Due'} {dueText(due)}
        </span>
      )}
      {priority !== undefined && <span>Priority {['high', 'medium', 'low'][priority - 1] ?? priority}</span>}
      {project !== undefined && <span dir="auto">Project {project}</span>}
      {notes.length > 0 && <span title={notes.join('\n')}>{count(notes.length, 'note')}</span>}
    </>
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
