import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Check, ListTodo, Pencil, Plus, SearchX, Trash2, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';

import { utaskApi } from '../../api/clients.ts';
import type { Task } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { randomKey } from '../../lib/random-key.ts';
import { useStore } from '../../lib/store.ts';
import { Time } from '../../ui/badge.tsx';
import { Button, Command, IconButton } from '../../ui/button.tsx';
import { Form } from '../../ui/dialog.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { controlClass, Field, TextArea } from '../../ui/field.tsx';
import { EmptyState, Failure, Skeleton } from '../../ui/page.tsx';
import { highlightClass } from '../../ui/timeline.tsx';
import { type ListControls, VirtualList } from '../../ui/virtual-list.tsx';
import { type Entry, parseEntry, parseTags } from './parse-entry.ts';
import { applyOwn, recentTasks } from './task-stream.ts';
import type { Draft, Editor } from './use-tasks.ts';

interface TaskListProps extends RowActions {
  readonly query: Pick<UseInfiniteQueryResult, 'isError' | 'error' | 'isPending' | 'refetch'>;
  readonly tasks: readonly Task[];
  readonly active: number;
  readonly editor: Editor;
  readonly isFiltered: boolean;
  readonly mayChange: boolean;
  readonly controls: Ref<ListControls>;
  readonly onEnd: () => void;
}

const ROW_HEIGHT = 62;

export function TaskList(props: TaskListProps): ReactNode {
  const { query, tasks, active, editor, isFiltered, mayChange, controls, onEnd, ...actions } = props;
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
              <TaskRow task={task} isActive={tasks[active]?.id === task.id} mayChange={mayChange} {...actions} />
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
  readonly mayChange: boolean;
}

function TaskRow({ task, isActive, mayChange, onFinish, onEdit, onRemove, onTag }: TaskRowProps): ReactNode {
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
          <IconButton icon={Pencil} label={`Edit ${task.text}`} onClick={() => onEdit(task)} />
          <IconButton icon={Trash2} label={`Delete ${task.text}`} onClick={() => onRemove(task)} />
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

const LINES_MAX = 12;

/** Replaces the row of the task. Enter saves, Shift+Enter adds a line, Escape cancels. */
function TaskEditor({ editor, draft }: { readonly editor: Editor; readonly draft: Draft }): ReactNode {
  const { text, tags, theirs } = draft;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') editor.cancel();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    editor.save();
  };
  return (
    <Form
      aria-label="Edit task"
      className="grid gap-3 bg-sunken px-4 py-4"
      onKeyDown={onKeyDown}
      onSubmit={() => editor.save()}
    >
      <TextArea
        label="Task"
        dir="auto"
        ref={area}
        rows={Math.min(LINES_MAX, text.split('\n').length)}
        value={text}
        onChange={(value) => editor.change({ text: value })}
      />
      <Field
        label="Tags, separated by commas"
        dir="auto"
        value={tags}
        onChange={(value) => editor.change({ tags: value })}
      />
      {theirs !== undefined && <Conflict draft={draft} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" onClick={editor.cancel}>
          {theirs === undefined ? 'Cancel' : theirs === null ? 'Discard my changes' : 'Keep their version'}
        </Button>
        <Button type="submit" size="small" variant="primary" isBusy={editor.isSaving} disabled={text.trim() === ''}>
          {theirs === undefined ? 'Save task' : theirs === null ? 'Add task again' : 'Save my version'}
        </Button>
      </div>
    </Form>
  );
}

function Conflict({ draft: { theirs, text, tags } }: { readonly draft: Draft }): ReactNode {
  return (
    <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft p-3 text-warn">
      <p className="flex gap-2 font-medium">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {theirs ? 'This task was changed elsewhere.' : 'This task was deleted elsewhere.'}
      </p>
      {theirs && (
        <>
          <p className="text-[13px]">Your change is not saved yet. Your version compared with the stored one:</p>
          <DiffView
            label="Their version and yours"
            before={whole(theirs.text, theirs.tags)}
            after={whole(text, parseTags(tags))}
          />
        </>
      )}
    </div>
  );
}

function whole(text: string, tags: readonly string[]): string {
  return [text, tags.map((tag) => `#${tag}`).join(' ')].filter((line) => line !== '').join('\n');
}

/** Creates a task from one line. After a failure the text stays, and sending it again creates no second task. */
export function QuickAdd({ input }: { readonly input: Ref<HTMLInputElement> }): ReactNode {
  const [line, setLine] = useState('');
  const [key, setKey] = useState(randomKey);
  const entry = parseEntry(line);
  const add = useAction<Entry>({
    failed: 'Could not add the task',
    run: async ({ text, tags }) => {
      const { data } = await utaskApi.POST('/tasks', { body: { text, tags: [...tags] }, idempotencyKey: key });
      applyOwn({ id: data.id, task: data });
      setLine('');
      setKey(randomKey());
    },
  });
  return (
    <Form
      className="grid gap-1.5"
      onSubmit={() => {
        if (entry.text !== '' && !add.isPending) add.mutate(entry);
      }}
    >
      <div className="flex gap-2">
        <input
          ref={input}
          dir="auto"
          aria-label="New task"
          aria-describedby="new-task-help"
          placeholder="What needs to be done? #tag"
          className={controlClass}
          value={line}
          maxLength={10_000}
          onChange={({ target }) => {
            setLine(target.value);
            // A different text is a new task, so it gets a new idempotency key.
            setKey(randomKey());
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Button type="submit" variant="primary" icon={Plus} isBusy={add.isPending} disabled={entry.text === ''}>
          Add task
        </Button>
      </div>
      <p id="new-task-help" className="text-[13px] text-muted">
        {entry.tags.length === 0
          ? 'Add tags with #tag or #"two words".'
          : `Tagged ${entry.tags.map((tag) => `#${tag}`).join(' ')}`}
      </p>
    </Form>
  );
}
