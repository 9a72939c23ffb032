import type { ReactNode } from 'react';

/** Tells screen readers what has changed on its own, without interrupting them. Always in the page, so that they notice. */
export function Announce({ text }: { readonly text: string }): ReactNode {
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
