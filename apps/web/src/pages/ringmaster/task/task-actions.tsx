import { Ban, Check, GitMerge, Link2, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { ShownTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Choice, Field, TextArea } from '../../../ui/field.tsx';
import { StopButton } from '../widgets.tsx';
import { EditLinks } from './edit-links.tsx';

interface TaskActionsProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

export function TaskActions({ workspace, shown }: TaskActionsProps): ReactNode {
  const { task, attempts } = shown;
  const [isEditing, setEditing] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const live = attempts.find(({ ended_at: ended }) => ended === null);
  if (!useMay('app:ringmaster:write')) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {live !== undefined && (
        <StopButton
          workspace={workspace}
          id={task.id}
          title={task.title}
          isCancelling={live.cancel_requested_at !== null}
          icon={Ban}
        />
      )}
      {live === undefined && task.deleted_at === null && <Steps workspace={workspace} shown={shown} />}
      {task.deleted_at === null && (
        <Button size="small" icon={Pencil} onClick={() => setEditing(true)}>
          Edit task
        </Button>
      )}
      {task.deleted_at === null && (
        <Button size="small" icon={Link2} onClick={() => setLinking(true)}>
          Edit links
        </Button>
      )}
      {live === undefined && <DeleteButton workspace={workspace} task={task} />}
      {isLinking && <EditLinks workspace={workspace} shown={shown} onClose={() => setLinking(false)} />}
      {isEditing && <EditDialog workspace={workspace} task={task} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Deletes the task and its parts, or restores them if they are deleted. */
function DeleteButton({ workspace, task }: { readonly workspace: string; readonly task: Task }): ReactNode {
  const request = { params: { workspace }, body: { tasks: [task.id] } };
  const touches = ['ringmaster', 'ringmaster-why'];
  const remove = useAction({
    failed: 'Could not delete the task',
    touches,
    run: () => ringmasterApi.POST('/workspaces/{workspace}/task-deletion', request),
  });
  const restore = useAction({
    failed: 'Could not restore the task',
    touches,
    run: () => ringmasterApi.POST('/workspaces/{workspace}/task-restoration', request),
  });
  return task.deleted_at === null ? (
    <Button size="small" icon={Trash2} isBusy={remove.isPending} onClick={() => remove.mutate()}>
      Delete task
    </Button>
  ) : (
    <Button size="small" icon={RotateCcw} isBusy={restore.isPending} onClick={() => restore.mutate()}>
      Restore task
    </Button>
  );
}

function Steps({ workspace, shown: { task, attempts } }: TaskActionsProps): ReactNode {
  const { step, merge } = useTaskSteps(workspace, task.id);
  const isWorked = attempts.length > 0 && (task.status === 'review' || task.status === 'done');
  return (
    <>
      {task.status === 'review' && (
        <Button size="small" icon={Check} onClick={() => step.mutate('done')}>
          Accept work
        </Button>
      )}
      {['failed', 'review', 'done', 'blocked', 'draft'].includes(task.status) && (
        <Button size="small" icon={RotateCcw} onClick={() => step.mutate('ready')}>
          {task.status === 'failed' ? 'Retry task' : 'Mark as ready'}
        </Button>
      )}
      {isWorked && (
        <Button size="small" isBusy={merge.isPending} icon={GitMerge} onClick={() => merge.mutate()}>
          Merge branch
        </Button>
      )}
    </>
  );
}

function useTaskSteps(workspace: string, id: string) {
  const params = { workspace, task: id };
  const touches = ['ringmaster', 'ringmaster-why'];
  const step = useAction({
    failed: 'Could not change the task',
    touches,
    run: (status: 'ready' | 'done') =>
      ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{task}', { params, body: { status } }),
  });
  const merge = useAction({
    failed: 'Could not merge the branch',
    done: ({ data }) => `Merged into ${data.into}`,
    touches,
    run: () => ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/merge', { params }),
  });
  return { step, merge };
}

type Task = ShownTask['task'];

interface EditDialogProps {
  readonly workspace: string;
  readonly task: Task;
  readonly onClose: () => void;
}

const priorities = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;

/**
 * Sends the version that the dialog started with, so that the server rejects the edit if the task has changed since
 * then.
 */
function EditDialog({ workspace, task, onClose }: EditDialogProps): ReactNode {
  const [{ version }] = useState(task);
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? '');
  const [priority, setPriority] = useState(task.priority);
  const save = useAction({
    failed: 'Could not save the task',
    done: () => 'Saved',
    touches: ['ringmaster', 'ringmaster-why'],
    run: () =>
      ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{task}', {
        params: { workspace, task: task.id },
        body: { title, description, priority, version },
      }),
  });
  return (
    <FormDialog
      title="Edit task"
      action="Save changes"
      isBusy={save.isPending}
      isDisabled={title.trim() === ''}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label="Title" value={title} onChange={setTitle} />
      <TextArea label="Description" rows={8} value={description} onChange={setDescription} />
      <Choice
        label="Priority"
        value={priority}
        options={priorities.map((value) => ({ value, label: value }))}
        onChange={setPriority}
      />
    </FormDialog>
  );
}
