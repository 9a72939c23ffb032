import type { ReactNode } from 'react';

/** A grid of covers, as many per row as fit. */
export function Cards({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-x-4 gap-y-6 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]"
    >
      {children}
    </ul>
  );
}
