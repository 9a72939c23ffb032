import { Ban, Check, GitMerge, Pencil, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { ShownTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { StopButton } from '../stop-button.tsx';
import { EditDialog } from './edit-dialog.tsx';

interface TaskActionsProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

export function TaskActions({ workspace, shown }: TaskActionsProps): ReactNode {
  const { task, attempts } = shown;
  const [isEditing, setEditing] = useState(false);
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
          icon={<Ban className="size-3.5" aria-hidden />}
        />
      )}
      {live === undefined && <Steps workspace={workspace} shown={shown} />}
      <Button size="small" icon={<Pencil className="size-3.5" aria-hidden />} onClick={() => setEditing(true)}>
        Edit task
      </Button>
      {isEditing && <EditDialog workspace={workspace} task={task} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Actions for a task that no worker runs. */
function Steps({ workspace, shown: { task, attempts } }: TaskActionsProps): ReactNode {
  const { step, merge } = useTaskSteps(workspace, task.id);
  const isWorked = attempts.length > 0 && (task.status === 'review' || task.status === 'done');
  return (
    <>
      {task.status === 'review' && (
        <Button size="small" icon={<Check className="size-3.5" aria-hidden />} onClick={() => step.mutate('done')}>
          Accept work
        </Button>
      )}
      {['failed', 'review', 'done', 'blocked', 'draft'].includes(task.status) && (
        <Button size="small" icon={<RotateCcw className="size-3.5" aria-hidden />} onClick={() => step.mutate('ready')}>
          {task.status === 'failed' ? 'Retry task' : 'Mark as ready'}
        </Button>
      )}
      {isWorked && (
        <Button
          size="small"
          isBusy={merge.isPending}
          icon={<GitMerge className="size-3.5" aria-hidden />}
          onClick={() => merge.mutate()}
        >
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
