import { type ReactNode, useState } from 'react';

import { ringmasterApi, type ShownTask } from '../../../api/ringmaster-client.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Choice, Field, TextArea } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

type Task = ShownTask['task'];

interface EditDialogProps {
  readonly place: string;
  readonly task: Task;
  readonly onClose: () => void;
}

const priorities = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;

/** As it was when the dialog opened: what somebody else changed meanwhile is not overwritten, and the server says so. */
export function EditDialog({ place, task, onClose }: EditDialogProps): ReactNode {
  const [{ version }] = useState(task);
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? '');
  const [priority, setPriority] = useState(task.priority);
  const save = useAction({
    failed: 'Could not save the task',
    done: () => 'Saved',
    touches: ['ringmaster', 'ringmaster-why'],
    run: () =>
      ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{id}', {
        params: { workspace: place, id: task.id },
        body: { title, description, priority, version },
      }),
  });
  return (
    <Dialog title="Edit the task" isOpen onClose={onClose}>
      <Form onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}>
        <Field label="Title" value={title} onChange={({ target }) => setTitle(target.value)} />
        <TextArea
          label="Description"
          rows={8}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <Choice
          label="Priority"
          value={priority}
          options={priorities.map((value) => ({ value, label: value }))}
          onChange={setPriority}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={save.isPending} disabled={title.trim() === ''}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
