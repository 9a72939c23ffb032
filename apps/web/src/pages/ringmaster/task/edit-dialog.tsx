import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { ShownTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Choice, Field, TextArea } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';

type Task = ShownTask['task'];

interface EditDialogProps {
  readonly workspace: string;
  readonly task: Task;
  readonly onClose: () => void;
}

const priorities = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;

/** Sends the version that the dialog opened with, so that the server rejects overwriting another change. */
export function EditDialog({ workspace, task, onClose }: EditDialogProps): ReactNode {
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
