import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';

import { Button, IconButton } from './button.tsx';
import { Form } from './field.tsx';
import { Modal } from './modal.tsx';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Only the buttons close the dialog, because its content cannot be shown again. */
  readonly isPersistent?: boolean;
  /** For content that needs most of the screen, such as a graph. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Traps the focus, restores it on close, and closes with Escape unless `isPersistent` is set. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  isPersistent = false,
  isWide = false,
  children,
}: DialogProps): ReactNode {
  const id = useId();
  return (
    <Modal
      isOpen={isOpen}
      onClose={(target) => {
        if (!isPersistent && !isInToast(target)) onClose();
      }}
      aria-labelledby={`${id}-title`}
      {...(description === undefined ? {} : { 'aria-describedby': `${id}-description` })}
      className={`fixed top-1/2 left-1/2 z-40 max-h-[90vh] w-[calc(100vw-2rem)] ${isWide ? 'max-w-6xl' : 'max-w-lg'} -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border border-line bg-raised p-6 shadow-xl`}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            {title}
          </h2>
          {description !== undefined && (
            <div id={`${id}-description`} className="mt-1 text-muted">
              {description}
            </div>
          )}
        </div>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className="mt-5">{children}</div>
    </Modal>
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

/**
 * A dialog with a form, which Enter or the submit button submits. After the user has typed or chosen something, only
 * the buttons close the dialog.
 */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { action, isBusy = false, isDisabled = false, onSubmit, buttons, children, ...dialog } = props;
  const [isChanged, setChanged] = useState(false);
  return (
    <Dialog {...dialog} isOpen isPersistent={isChanged}>
      <Form autoComplete="off" onSubmit={onSubmit} onInput={() => setChanged(true)}>
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
