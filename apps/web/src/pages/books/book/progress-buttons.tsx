import { Check, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';

/** Sets the listening progress by hand. */
export function ProgressButtons({ book }: { readonly book: Book }): ReactNode {
  const params = { book: book.id };
  const isFinished = book.progress?.finished ?? false;
  const mark = useAction({
    failed: 'Could not change your progress',
    touches: ['audiobooks'],
    run: () => booksApi.PUT('/progress/{book}', { params, body: { finished: !isFinished } }),
  });
  const reset = useAction({
    failed: 'Could not reset your progress',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/progress/{book}', { params }),
  });
  return (
    <>
      <Button icon={<Check className="size-4" aria-hidden />} isBusy={mark.isPending} onClick={() => mark.mutate()}>
        {isFinished ? 'Mark as unfinished' : 'Mark as finished'}
      </Button>
      {book.progress !== null && (
        <ConfirmButton
          icon={<RotateCcw className="size-4" aria-hidden />}
          title="Reset your progress?"
          action="Reset progress"
          mutation={reset}
          explanation={<p>The book starts from the beginning. Your listening statistics are kept.</p>}
        >
          Reset progress
        </ConfirmButton>
      )}
    </>
  );
}
