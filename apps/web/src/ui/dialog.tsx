import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const backdropClass = 'fixed inset-0 z-30 bg-black/45';

/** Traps the focus, restores it on close, and closes with Escape. */
export function Dialog({ title, description, isOpen, onClose, children }: DialogProps): ReactNode {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => {
        if (!open && !isInToast(event.target)) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className="fixed top-1/2 left-1/2 z-40 max-h-[90vh] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border border-line bg-raised p-6 shadow-xl">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="mt-1 text-muted" render={<div />}>
                  {description}
                </Base.Description>
              )}
            </div>
            <IconButton icon={X} label="Close" onClick={onClose} />
          </div>
          <div className="mt-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>;
}

/** Dismissing a toast must not close the dialog. */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}
