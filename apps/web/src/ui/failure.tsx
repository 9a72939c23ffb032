import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';

import { reasonOf } from '../lib/error-reason.ts';
import { Button } from './button.tsx';

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const { title, hint, code, requestId } = reasonOf(error);
  return (
    <div role="alert" className="flex flex-wrap items-start gap-3 p-5">
      <CircleX className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words">{title}</p>
        <p className="text-muted">{hint}</p>
        <p className="mt-1 font-mono text-xs text-muted">
          {code}
          {requestId !== undefined && ` · request ${requestId}`}
        </p>
      </div>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
