import type { ReactNode } from 'react';

/** The shape of a book that is on its way. */
export function CardSkeleton(): ReactNode {
  return (
    <div aria-hidden data-skeleton className="grid gap-2">
      <div className="aspect-square w-full rounded-lg bg-line" />
      <div className="h-3.5 w-4/5 rounded bg-line" />
      <div className="h-3 w-1/2 rounded bg-line" />
    </div>
  );
}

export function LineSkeleton(): ReactNode {
  return (
    <div aria-hidden data-skeleton className="flex h-full items-center gap-3 px-3 sm:gap-4 sm:px-4">
      <div className="size-12 rounded-lg bg-line" />
      <div className="h-3.5 w-2/5 rounded bg-line" />
    </div>
  );
}
