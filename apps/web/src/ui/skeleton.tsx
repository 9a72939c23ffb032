import type { ReactNode } from 'react';

export function Skeleton({ lines = 3 }: { readonly lines?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="grid animate-pulse gap-3 p-5">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={`h-4 rounded bg-line ${index % 3 === 2 ? 'w-1/2' : 'w-full'}`} />
      ))}
    </div>
  );
}
