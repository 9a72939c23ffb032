import { Check, RotateCcw, Tag, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { utaskApi } from '../../api/clients.ts';
import type { Task } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { say } from '../../lib/toasts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { parseTags } from './parse-entry.ts';
import { applyOwn } from './task-stream.ts';
import type { Selection } from './use-selection.ts';

type Patch = NonNullable<Parameters<typeof utaskApi.PATCH<'/tasks/{id}'>>[1]['body']>;

interface Change {
  readonly tasks: readonly Task[];
  /** Text of the toast after the action, for example `Done`. */
  readonly word: string;
  readonly change: (task: Task) => Promise<Task | null>;
  readonly undo?: (task: Task) => Promise<Task | null>;
}

/**
 * Maximum number of concurrent requests. A browser allows six connections per server, and the event stream uses one.
 */
const AT_ONCE = 4;

async function applyAll(tasks: readonly Task[], change: Change['change']): Promise<void> {
  const waiting = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      applyOwn({ id: task.id, task: await change(task) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function patched(id: string, body: Patch): Promise<Task> {
  return (await utaskApi.PATCH('/tasks/{id}', { params: { id }, body })).data;
}

/** Changes all selected tasks, and offers to undo all changes at once. */
function useBulkChange() {
  const run = useAction<Change>({
    failed: 'Could not change all tasks',
    run: async ({ tasks, word, change, undo }) => {
      await applyAll(tasks, change);
      const text = `${word}: ${count(tasks.length, 'task')}`;
      if (undo === undefined) say(text);
      else say(text, { label: 'Undo', run: () => run.mutate({ tasks, word: 'Undone', change: undo }) });
    },
  });
  return run;
}

export function BulkActions({ selection }: { readonly selection: Selection }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const change = useBulkChange();
  const { tasks } = selection;
  const isEmpty = tasks.length === 0;
  const setDone = (done: boolean): void =>
    change.mutate({
      tasks: tasks.filter((task) => task.done !== done),
      word: done ? 'Done' : 'Reopened',
      change: ({ id }) => patched(id, { done }),
      undo: ({ id }) => patched(id, { done: !done }),
    });
  const remove = (): void =>
    change.mutate({
      tasks,
      word: 'Deleted',
      change: async ({ id }) => {
        await utaskApi.DELETE('/tasks/{id}', { params: { id } });
        return null;
      },
      undo: async ({ id }) => (await utaskApi.POST('/tasks/{id}/restore', { params: { id } })).data,
    });
  return (
    <div
      role="toolbar"
      aria-label="Selected tasks"
      className="flex flex-wrap items-center gap-2 rounded-xl border border-line bg-surface px-4 py-2"
    >
      <span role="status" className="mr-auto text-[13px] font-medium">
        {count(tasks.length, 'task')} selected
      </span>
      <Button size="small" onClick={selection.selectAll}>
        Select all
      </Button>
      <Button size="small" icon={Check} isBusy={change.isPending} disabled={isEmpty} onClick={() => setDone(true)}>
        Mark as done
      </Button>
      <Button size="small" icon={RotateCcw} isBusy={change.isPending} disabled={isEmpty} onClick={() => setDone(false)}>
        Reopen
      </Button>
      <Button size="small" icon={Tag} disabled={isEmpty} onClick={() => setEditing(true)}>
        Edit tasks
      </Button>
      <Button size="small" variant="danger" icon={Trash2} isBusy={change.isPending} disabled={isEmpty} onClick={remove}>
        Delete
      </Button>
      <IconButton icon={X} label="End selection" onClick={selection.clear} />
      {isEditing && <EditAll tasks={tasks} onChange={change.mutate} onClose={() => setEditing(false)} />}
    </div>
  );
}

const priorities = [
  { value: '', label: 'Keep' },
  { value: '1', label: 'High' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Low' },
  { value: '0', label: 'None' },
] as const;

interface EditAllProps {
  readonly tasks: readonly Task[];
  readonly onChange: (change: Change) => void;
  readonly onClose: () => void;
}

/** Changes tags, due date and priority of all selected tasks. Empty fields change nothing. */
function EditAll({ tasks, onChange, onClose }: EditAllProps): ReactNode {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [due, setDue] = useState('');
  const [priority, setPriority] = useState<(typeof priorities)[number]['value']>('');
  const body: Patch = {
    ...(added.trim() === '' ? {} : { add_tags: [...parseTags(added)] }),
    ...(removed.trim() === '' ? {} : { remove_tags: [...parseTags(removed)] }),
    ...(due === '' ? {} : { due }),
    ...(priority === '' ? {} : { priority: Number(priority) }),
  };
  return (
    <FormDialog
      title={`Edit ${count(tasks.length, 'task')}`}
      action="Save changes"
      isBusy={false}
      isDisabled={Object.keys(body).length === 0}
      onSubmit={() => {
        onChange({
          tasks,
          word: 'Changed',
          change: ({ id }) => patched(id, body),
          undo: (before) =>
            patched(before.id, {
              tags: [...before.tags],
              ...(due === '' ? {} : { due: before.due ?? 'none' }),
              ...(priority === '' ? {} : { priority: before.priority ?? 0 }),
            }),
        });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Add tags, separated by commas" value={added} onChange={setAdded} />
      <Field label="Remove tags, separated by commas" value={removed} onChange={setRemoved} />
      <Field label="Due" type="date" value={due} onChange={setDue} />
      <Choice label="Priority" value={priority} options={priorities} onChange={setPriority} />
    </FormDialog>
  );
}
