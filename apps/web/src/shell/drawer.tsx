import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { IconButton } from '../ui/button.tsx';
import { backdropClass } from '../ui/dialog.tsx';
import { Navigation } from './navigation.tsx';
import { Brand, WhoIsHere } from './sidebar.tsx';

/** The navigation where there is no room for a sidebar. */
export function Drawer({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          aria-label="Menu"
          className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-6 border-r border-line bg-surface p-4"
        >
          <div className="flex items-center justify-between pl-2">
            <Brand />
            <IconButton label="Close the menu" onClick={onClose}>
              <X className="size-4" aria-hidden />
            </IconButton>
          </div>
          <div className="flex-1 overflow-y-auto">
            <Navigation onGo={onClose} />
          </div>
          <WhoIsHere />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
