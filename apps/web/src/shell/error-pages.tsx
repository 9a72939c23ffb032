import { Link, useRouter } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

import { statusOf } from '../lib/error-reason.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState, Failure } from '../ui/page.tsx';

const RETRY_MS = 3_000;

/** Shown when a page fails. Retries automatically if the server is unreachable or has failed. */
export function Broken({ error }: { readonly error: unknown }): ReactNode {
  const router = useRouter();
  const status = statusOf(error);
  const isTemporary = status !== undefined && (status === 0 || status >= 500);
  useEffect(() => {
    if (!isTemporary) return undefined;
    const timer = setInterval(() => void router.invalidate(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isTemporary, router]);
  return (
    <main className="mx-auto mt-16 w-full max-w-xl rounded-xl border border-line bg-surface">
      <h1 className="sr-only">Something went wrong</h1>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

export function NotFound(): ReactNode {
  return (
    <main className="mt-16">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState icon={MapPinOff} title="Page not found">
        <p>Check the address, or start from the home page.</p>
        <Link to="/" className={buttonClass()}>
          Open home page
        </Link>
      </EmptyState>
    </main>
  );
}
