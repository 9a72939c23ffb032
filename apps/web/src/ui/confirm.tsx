import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What happens, and how it is undone. */
  readonly children: ReactNode;
  readonly action: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps): ReactNode {
  const { title, children, action, isOpen, isBusy, onConfirm, onClose } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className="grid gap-3">{children}</div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
