import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

import type { ModalProps } from './modal.tsx';

/** The implementation of `Modal`. */
export function ModalPopup({ isOpen, onClose, children, ...rest }: ModalProps): ReactNode {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && onClose(event.target)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/45" />
        <Dialog.Popup {...rest}>{children}</Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
