import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';

import { Button, IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Only the buttons close the dialog, because its content cannot be shown again. */
  readonly isPersistent?: boolean;
  readonly children: ReactNode;
}

export const backdropClass = 'fixed inset-0 z-30 bg-black/45';

/** Traps the focus, restores it on close, and closes with Escape unless `isPersistent` is set. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  isPersistent = false,
  children,
}: DialogProps): ReactNode {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => {
        if (!open && !isPersistent && !isInToast(event.target)) onClose();
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

/** Returns whether a click was on a toast, which must not close the dialog. */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}

interface ConfirmProps {
  readonly title: string;
  /** Explains the effect of the action, and how to undo it. */
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
  /** Explains the effect of the action, and how to undo it. */
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

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form whose submission does not reload the page. */
export function Form({ onSubmit, className = 'grid gap-4', ...rest }: FormProps): ReactNode {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
}

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Further buttons at the start of the button row. */
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog with a form, which Enter or the submit button submits. */
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
