import { type ComponentProps, type ReactNode, useState } from 'react';

import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** Explains the effect, and how to undo it. */
  readonly children: ReactNode;
  readonly action: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps): ReactNode {
  const { children, action, isBusy, onConfirm, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <div className="grid gap-3">{children}</div>
      <DialogActions>
        <Button onClick={dialog.onClose}>Cancel</Button>
        <Button variant="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Pick<
  ComponentProps<typeof Button>,
  'variant' | 'size' | 'icon' | 'children' | 'aria-label'
> {
  readonly title: string;
  readonly action: string;
  readonly mutation: {
    readonly isPending: boolean;
    readonly mutate: (input: undefined, options: { readonly onSuccess: () => void }) => void;
  };
  /** Explains the effect, and how to undo it. */
  readonly explanation: ReactNode;
}

export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { title, action, mutation, explanation, ...button } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      <Confirm
        title={title}
        action={action}
        isOpen={isOpen}
        isBusy={mutation.isPending}
        onConfirm={() => mutation.mutate(undefined, { onSuccess: () => setOpen(false) })}
        onClose={() => setOpen(false)}
      >
        {explanation}
      </Confirm>
    </>
  );
}
