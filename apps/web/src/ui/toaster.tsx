import { CircleCheck, CircleX, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { useStore } from '../lib/store.ts';
import { dismiss, type Toast, toasts } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';

/** Always rendered, because screen readers ignore live regions that appear together with their text. */
export function Toaster(): ReactNode {
  const shown = useStore(toasts);
  return (
    <div
      aria-live="polite"
      data-toasts
      className="pointer-events-none fixed top-4 right-4 z-50 sm:top-auto sm:bottom-4 sm:[:root:has([data-player])_&]:bottom-[6.5rem] grid w-[calc(100vw-2rem)] max-w-sm gap-3"
    >
      {shown.map((toast) => (
        <Item key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function Item({ toast: { id, tone, title, reason, action } }: { readonly toast: Toast }): ReactNode {
  const Icon = tone === 'good' ? CircleCheck : CircleX;
  return (
    <div
      role={tone === 'good' ? 'status' : 'alert'}
      className="pointer-events-auto flex items-start gap-3 rounded-xl border border-line bg-raised p-4 shadow-lg"
    >
      <Icon className={`mt-0.5 size-5 shrink-0 ${tone === 'good' ? 'text-good' : 'text-bad'}`} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{title}</p>
        {reason !== undefined && (
          <>
            <p className="mt-0.5 break-words">{reason.title}</p>
            <p className="mt-0.5 text-muted">{reason.hint}</p>
            <p className="mt-1 font-mono text-xs text-muted">{reason.code}</p>
          </>
        )}
      </div>
      {action !== undefined && (
        <Button
          size="small"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}
