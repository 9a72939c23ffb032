import type { ReactNode } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../lib/permissions.ts';
import { ConfirmButton } from '../../ui/confirm.tsx';

interface StopButtonProps {
  readonly workspace: string;
  readonly id: string;
  readonly title: string;
  readonly isCancelling?: boolean;
  readonly icon?: ReactNode;
}

/** Stops the worker that runs a task. */
export function StopButton({ workspace, id, title, isCancelling = false, icon }: StopButtonProps): ReactNode {
  const mayChange = useMay('app:ringmaster:write');
  const cancel = useAction({
    failed: 'Could not cancel the task',
    done: () => 'Stopping the worker',
    touches: ['ringmaster', 'ringmaster-why'],
    run: () =>
      ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/cancel', { params: { workspace, task: id }, body: {} }),
  });
  if (!mayChange) return null;
  return (
    <ConfirmButton
      variant="danger"
      size="small"
      icon={icon}
      aria-label={`Cancel ${title}`}
      title={`Cancel work on ${title}?`}
      action="Stop worker"
      mutation={cancel}
      explanation={
        <p>
          Stops the worker and all processes it started. Its changes stay on their branch, and the task becomes ready
          again.
        </p>
      }
    >
      {isCancelling ? 'Cancelling …' : 'Cancel'}
    </ConfirmButton>
  );
}
