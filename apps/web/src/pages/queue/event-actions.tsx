import type { ReactNode } from 'react';

import { codexApi } from '../../api/clients.ts';
import type { CodexEvent } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** Actions for operations that failed or have not started. */
export function EventActions({ event: { id, status } }: { readonly event: CodexEvent }): ReactNode {
  const params = { id: String(id) };
  const retry = useAction({
    failed: 'Could not retry the operation',
    done: () => 'Operation queued again',
    touches: ['codex'],
    run: () => codexApi.POST('/events/{id}/retry', { params }),
  });
  const discard = useAction({
    failed: 'Could not discard the operation',
    done: () => 'Operation discarded',
    touches: ['codex'],
    run: () => codexApi.POST('/events/{id}/discard', { params }),
  });
  const cancel = useAction({
    failed: 'Could not cancel the operation',
    done: () => 'Operation cancelled',
    touches: ['codex'],
    run: () => codexApi.POST('/events/{id}/cancel', { params }),
  });
  const name = <span className="sr-only"> operation {id}</span>;
  if (status === 'pending') {
    return (
      <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel{name}
      </Button>
    );
  }
  if (status !== 'failed') return null;
  return (
    <>
      <Button size="small" variant="primary" isBusy={retry.isPending} onClick={() => retry.mutate()}>
        Retry{name}
      </Button>
      <Button size="small" isBusy={discard.isPending} onClick={() => discard.mutate()}>
        Discard{name}
      </Button>
    </>
  );
}
