import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';

import { reasonOf } from '../../lib/error-reason.ts';

/** Shown while the NATS server is unreachable. Requests are retried. */
export function Unreachable({ error }: { readonly error: unknown }): ReactNode {
  const { title, hint, code } = reasonOf(error);
  return (
    <div role="status" className="flex gap-3 rounded-lg bg-warn-soft p-3 text-[13px] text-warn">
      <Unplug className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p className="min-w-0 break-words">
        <strong className="font-semibold">Tasks are unavailable.</strong> Retrying. {title}. {hint}{' '}
        <span className="font-mono text-xs">{code}</span>
      </p>
    </div>
  );
}
