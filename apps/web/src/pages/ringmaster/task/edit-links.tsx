import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { ShownTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { messageOf } from '../../../lib/error-reason.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { TaskLinkFields, type TaskLinks } from '../task-picker.tsx';

interface EditLinksProps {
  readonly workspace: string;
  readonly shown: ShownTask;
  readonly onClose: () => void;
}

/** Changes the tasks that a task depends on, and the task that it is part of. */
export function EditLinks({ workspace, shown, onClose }: EditLinksProps): ReactNode {
  const { id, parent_id: parent } = shown.task;
  const before = shown.dependencies.filter(({ type }) => type === 'blocks').map((link) => link.id);
  const [links, setLinks] = useState<TaskLinks>({ needed: before, parent });
  const params = { workspace, task: id };
  const save = useAction({
    failed: 'Could not change the links',
    atField: ['DEPENDENCY_CYCLE', 'TASK_STATE', 'TASK_RUNNING'],
    done: () => 'Links saved',
    touches: ['ringmaster', 'ringmaster-why'],
    async run() {
      for (const other of links.needed.filter((each) => !before.includes(each))) {
        const body = { depends_on: other };
        await ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/dependencies', { params, body });
      }
      for (const other of before.filter((each) => !links.needed.includes(each))) {
        await ringmasterApi.DELETE('/workspaces/{workspace}/tasks/{task}/dependencies/{depends_on}', {
          params: { ...params, depends_on: other },
        });
      }
      if (links.parent !== parent) {
        const body = { parent: links.parent };
        await ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{task}', { params, body });
      }
      onClose();
    },
  });
  const error = messageOf(save.error, 'DEPENDENCY_CYCLE', 'TASK_STATE', 'TASK_RUNNING');
  return (
    <FormDialog
      title="Dependencies and parent"
      description={shown.task.title}
      action="Save links"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TaskLinkFields workspace={workspace} links={links} onChange={setLinks} error={error} />
    </FormDialog>
  );
}
