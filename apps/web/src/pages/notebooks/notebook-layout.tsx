import { Dialog } from '@base-ui/react/dialog';
import { FolderTree, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { useMedia } from '../../lib/media.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { backdropClass } from '../../ui/dialog.tsx';
import { onCodexEvents, onCodexGap } from './codex-stream.ts';
import { NotebookContent, type NotebookViewName } from './notebook-content.tsx';
import { NotebookSide } from './notebook-side.tsx';
import { Switcher } from './switcher.tsx';
import { followEvents, treeOf } from './tree/trees.ts';

interface NotebookLayoutProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

/** A notebook: the file tree on the left, or in a drawer on narrow screens; the open file on the right. */
export function NotebookLayout({ id, fileId, view }: NotebookLayoutProps): ReactNode {
  const isWide = useMedia('(min-width: 64rem)');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const stopEvents = onCodexEvents((events) => followEvents(id, events));
    const stopGaps = onCodexGap(() => treeOf(id).refreshAll());
    return () => {
      stopEvents();
      stopGaps();
    };
  }, [id]);
  const side = <NotebookSide id={id} fileId={fileId} onGo={() => setOpen(false)} />;
  const isFront = fileId === undefined && view === 'note';
  return (
    <div className="mx-auto grid w-full max-w-[110rem] grid-cols-[minmax(0,1fr)] gap-4 lg:-my-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-6">
      {isWide ? (
        <aside aria-label="Files" className="sticky top-18 flex h-[calc(100dvh-5.5rem)] min-w-0 flex-col">
          {side}
        </aside>
      ) : (
        <>
          {isFront ? (
            <section aria-label="Files" className="flex h-[calc(100dvh-14rem)] min-h-72 min-w-0 flex-col">
              {side}
            </section>
          ) : (
            <div>
              <Button size="small" icon={<FolderTree className="size-3.5" aria-hidden />} onClick={() => setOpen(true)}>
                Files
              </Button>
            </div>
          )}
          <FilesDrawer isOpen={isOpen && !isFront} onClose={() => setOpen(false)}>
            {side}
          </FilesDrawer>
        </>
      )}
      <div className="min-w-0 self-start">
        <NotebookContent id={id} fileId={fileId} view={view} />
      </div>
      <Switcher id={id} />
    </div>
  );
}

interface FilesDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function FilesDrawer({ isOpen, onClose, children }: FilesDrawerProps): ReactNode {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          aria-label="Files"
          className="fixed inset-y-0 left-0 z-40 flex w-80 max-w-[90vw] flex-col border-r border-line bg-surface p-3"
        >
          <div className="flex justify-end">
            <IconButton label="Close files" onClick={onClose}>
              <X className="size-4" aria-hidden />
            </IconButton>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
