import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/audiobooks-client.ts';
import { rightsQuery } from '../../../api/audiobooks-queries.ts';
import type { Operation } from '../../../api/audiobooks-types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { isOpen, typeWord } from './look.ts';

/** An operation can be stopped while it runs, and taken back when it is done. */
export function OperationButtons({ operation }: { readonly operation: Operation }): ReactNode {
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  const [isUndoing, setUndoing] = useState(false);
  const params = { id: operation.id };
  const cancel = useAction({
    failed: 'Could not cancel the operation',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/operations/{id}/cancel', { params }),
  });
  const undo = useAction({
    failed: 'Could not undo the operation',
    done: () => 'It is being undone',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/operations/{id}/undo', { params }),
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
        <Button size="small" aria-label={`Undo: ${word}`} onClick={() => setUndoing(true)}>
          Undo
        </Button>
      )}
      <Confirm
        title={`Undo: ${word}?`}
        action="Undo it"
        isOpen={isUndoing}
        isBusy={undo.isPending}
        onConfirm={() => undo.mutate(undefined, { onSuccess: () => setUndoing(false) })}
        onClose={() => setUndoing(false)}
      >
        <p>Everything goes back to where it was before. Nobody loses their place in a book.</p>
      </Confirm>
    </>
  );
}
