import { Check, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/audiobooks-client.ts';
import type { Book } from '../../../api/audiobooks-types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';

/** Says by hand how far one is. */
export function ProgressButtons({ book }: { readonly book: Book }): ReactNode {
  const [isResetting, setResetting] = useState(false);
  const params = { book: book.id };
  const isFinished = book.progress?.finished ?? false;
  const mark = useAction({
    failed: 'Could not change your progress',
    touches: ['audiobooks'],
    run: () => booksApi.PUT('/progress/{book}', { params, body: { finished: !isFinished } }),
  });
  const reset = useAction({
    failed: 'Could not forget your progress',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/progress/{book}', { params }),
  });
  return (
    <>
      <Button icon={<Check className="size-4" aria-hidden />} isBusy={mark.isPending} onClick={() => mark.mutate()}>
        {isFinished ? 'Mark as unfinished' : 'Mark as finished'}
      </Button>
      {book.progress !== null && (
        <Button icon={<RotateCcw className="size-4" aria-hidden />} onClick={() => setResetting(true)}>
          Reset
        </Button>
      )}
      <Confirm
        title="Forget where you are?"
        action="Forget it"
        isOpen={isResetting}
        isBusy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSuccess: () => setResetting(false) })}
        onClose={() => setResetting(false)}
      >
        <p>The book begins anew for you. What you have listened to stays in your statistics.</p>
      </Confirm>
    </>
  );
}
