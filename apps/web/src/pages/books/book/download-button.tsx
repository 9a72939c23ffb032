import { CloudDownload, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { useAction } from '../../../api/use-action.ts';
import type { Book } from '../../../api/types.ts';
import { say } from '../../../lib/toasts.ts';
import { useStore } from '../../../lib/store.ts';
import {
  canDownload,
  cancelDownload,
  downloadBook,
  downloads,
  isCurrent,
  removeDownload,
} from '../../../offline/downloads.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/dialog.tsx';
import { useRights } from '../actions.ts';

/** Keeps the book on this device, so that it plays without the server. */
export function DownloadButton({ book }: { readonly book: Book }): ReactNode {
  const { ready, running } = useStore(downloads);
  const { download: mayDownload } = useRights();
  const download = useAction({
    failed: 'Could not download the book',
    run: async () => {
      await downloadBook(book);
      if (downloads.get().ready.has(book.id)) say(`${book.title} is on this device`);
    },
  });
  const remove = useAction({
    failed: 'Could not remove the download',
    run: () => removeDownload(book.id),
  });
  const found = ready.get(book.id);
  const part = running.get(book.id);
  if (part !== undefined) {
    return (
      <Button icon={X} onClick={() => cancelDownload(book.id)}>
        Cancel download ({Math.floor(part * 100)} %)
      </Button>
    );
  }
  if (found !== undefined && isCurrent(book, found)) {
    return (
      <ConfirmButton
        title="Remove the download?"
        action="Remove download"
        mutation={remove}
        explanation="The book stays in the library. Without the server, it no longer plays on this device."
      >
        Remove download
      </ConfirmButton>
    );
  }
  if (!mayDownload || !canDownload() || book.missing) return null;
  return (
    <Button icon={CloudDownload} onClick={() => download.mutate()}>
      {found === undefined ? 'Download' : 'Update download'}
    </Button>
  );
}
