import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Form } from './form.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Buttons at the start of the button row. */
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog with a form, which Enter or the submit button sends. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { action, isBusy = false, isDisabled = false, onSubmit, buttons, children, ...dialog } = props;
  return (
    <Dialog {...dialog} isOpen>
      <Form autoComplete="off" onSubmit={onSubmit}>
        {children}
        <DialogActions>
          {buttons}
          {buttons !== undefined && <span className="flex-1" />}
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={isDisabled}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
