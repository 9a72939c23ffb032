import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Operation } from '../../../api/types.ts';
import { rightsQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { isOpen, typeWord } from './status-badge.ts';

/** Cancels a running operation, or undoes a finished one. */
export function OperationButtons({ operation }: { readonly operation: Operation }): ReactNode {
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  const params = { operation: operation.id };
  const cancel = useAction({
    failed: 'Could not cancel the operation',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/operations/{operation}/cancel', { params }),
  });
  const undo = useAction({
    failed: 'Could not undo the operation',
    done: () => 'Undoing the operation',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/operations/{operation}/undo', { params }),
  });
  if (!manages) return null;
  const word = typeWord(operation.type);
  return (
    <>
      {isOpen(operation) && !operation.cancelling && (
        <Button size="small" aria-label={`Cancel: ${word}`} isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {operation.can_undo && (
        <ConfirmButton
          size="small"
          aria-label={`Undo: ${word}`}
          title={`Undo: ${word}?`}
          action="Undo operation"
          mutation={undo}
          explanation={<p>Restores the state before this operation. Listening positions are kept.</p>}
        >
          Undo
        </ConfirmButton>
      )}
    </>
  );
}
