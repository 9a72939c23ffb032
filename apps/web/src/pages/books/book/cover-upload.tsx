import { ProblemError } from '@holdfast/http/client';
import { ImageUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { Button } from '../../../ui/button.tsx';
import { useBooksAction, useRights } from '../actions.ts';

interface CoverUploadProps {
  readonly book: Book;
  readonly etag: string | null;
}

/** Replaces the cover. Users can restore the previous cover from the book's history. */
export function CoverUpload({ book, etag }: CoverUploadProps): ReactNode {
  const { edit } = useRights();
  const file = useRef<HTMLInputElement>(null);
  const upload = useBooksAction<File>({
    failed: 'Could not replace the cover',
    done: () => 'Cover replaced',
    // The typed client can send only JSON, but this request sends the picture itself.
    run: async (picture) => {
      const address = booksApi.url('/books/{book}/cover', { params: { book: book.id } });
      const headers = { 'content-type': picture.type, 'if-match': etag ?? '*' };
      const response = await fetch(address, { method: 'PUT', headers, body: picture });
      if (!response.ok) throw new ProblemError(response.status, (await response.json().catch(() => ({}))) as object);
    },
  });
  if (!edit || book.deleted_at !== null) return null;
  return (
    <>
      <Button size="small" icon={ImageUp} isBusy={upload.isPending} onClick={() => file.current?.click()}>
        Replace cover
      </Button>
      <input
        ref={file}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        className="hidden"
        aria-label="Cover image"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen !== undefined) upload.mutate(chosen);
          target.value = '';
        }}
      />
    </>
  );
}
