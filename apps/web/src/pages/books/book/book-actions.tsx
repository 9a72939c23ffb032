import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Pencil, RotateCcw, Rss } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { rightsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Confirm, ConfirmButton } from '../../../ui/confirm.tsx';
import { AddToPlaylist } from './add-to-playlist.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { FeedDialog } from './feed-dialog.tsx';

type Open = 'edit' | 'feed' | 'remove';

export function BookActions({ book, etag }: { readonly book: Book; readonly etag: string | null }): ReactNode {
  const can = useQuery(rightsQuery).data?.can;
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const params = { book: book.id };
  const restore = useAction({
    failed: 'Could not restore the book',
    done: () => 'Book restored',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/books/{book}/restore', { params }),
  });
  if (book.deleted_at !== null) {
    return (
      can?.edit === true && (
        <Button variant="primary" isBusy={restore.isPending} onClick={() => restore.mutate()}>
          Restore book
        </Button>
      )
    );
  }
  return (
    <>
      <ProgressButtons book={book} />
      <AddToPlaylist book={book} />
      <Button icon={<Rss className="size-4" aria-hidden />} onClick={() => setOpen('feed')}>
        Podcast link
      </Button>
      {can?.edit === true && (
        <Button icon={<Pencil className="size-4" aria-hidden />} onClick={() => setOpen('edit')}>
          Edit book
        </Button>
      )}
      {can?.manage === true && book.segments.length > 1 && (
        <Link to="/books/$view" params={{ view: 'merge' }} search={{ book: book.id }} className={buttonClass()}>
          Merge files
        </Link>
      )}
      {can?.edit === true && (
        <Button variant="danger" onClick={() => setOpen('remove')}>
          Remove book
        </Button>
      )}
      {open === 'edit' && <EditDialog book={book} etag={etag} onClose={close} />}
      {open === 'feed' && <FeedDialog book={book} onClose={close} />}
      {open === 'remove' && <Remove book={book} onClose={close} />}
    </>
  );
}

function Remove({ book, onClose }: { readonly book: Book; readonly onClose: () => void }): ReactNode {
  const remove = useAction({
    failed: 'Could not remove the book',
    done: () => 'Book removed from the library',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/books/{book}', { params: { book: book.id } }),
  });
  return (
    <Confirm
      title="Remove this book?"
      action="Remove book"
      isOpen
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>The book is hidden. Its files and all listening positions are kept.</p>
      <p className="text-muted">To restore it, filter the library by removed books.</p>
    </Confirm>
  );
}

/** Sets the listening progress by hand. */
function ProgressButtons({ book }: { readonly book: Book }): ReactNode {
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
