import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';

import { lazyPart } from '../lib/lazy-part.ts';

export interface ModalProps extends Pick<
  ComponentProps<'div'>,
  'aria-label' | 'aria-labelledby' | 'aria-describedby' | 'className' | 'children'
> {
  readonly isOpen: boolean;
  /** Called when the user presses Escape or clicks outside; `target` is the clicked element. */
  readonly onClose: (target: EventTarget | null) => void;
  readonly 'data-player'?: boolean;
}

/** Loads the code for dialogs when the first dialog opens, because no page needs it at the start. */
export const loadModal = () => import('./modal-popup.tsx');
const ModalPopup = lazyPart(async () => (await loadModal()).ModalPopup);

/** Content above the page. Traps the focus and restores it on close. */
export function Modal(props: ModalProps): ReactNode {
  const [isUsed, setUsed] = useState(props.isOpen);
  // Stays mounted when it closes, so that it can restore the focus.
  if (props.isOpen && !isUsed) setUsed(true);
  return <Suspense>{isUsed && <ModalPopup {...props} />}</Suspense>;
}
