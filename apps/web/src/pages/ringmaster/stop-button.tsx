import { type ReactNode, useState } from 'react';

import { type QueueEntry, ringmasterApi } from '../../api/ringmaster-client.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';

interface StopButtonProps {
  readonly place: string;
  readonly entry: QueueEntry;
}

/** Ends what a worker is at. */
export function StopButton({ place, entry }: StopButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMay('app:ringmaster:write');
  const cancel = useAction({
    failed: 'Could not cancel the task',
    done: () => 'The worker is asked to stop',
    touches: ['ringmaster'],
    run: () =>
      ringmasterApi.POST('/workspaces/{workspace}/tasks/{id}/cancel', {
        params: { workspace: place, id: entry.task_id },
        body: {},
      }),
  });
  if (!mayChange) return null;
  return (
    <>
      <Button look="danger" size="small" aria-label={`Cancel ${entry.title}`} onClick={() => setOpen(true)}>
        Cancel
      </Button>
      <Confirm
        title="Stop working on it?"
        action="Stop the worker"
        isOpen={isOpen}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setOpen(false) })}
        onClose={() => setOpen(false)}
      >
        <p>
          {entry.title}: the worker and all it started are ended. What it has changed stays on its branch, and the task
          is ready again.
        </p>
      </Confirm>
    </>
  );
}
