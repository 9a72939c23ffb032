import { type ReactNode, useId } from 'react';

interface DetailsPartProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

export function DetailsPart({ title, count, children }: DetailsPartProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
      <h2 id={id} className="flex items-baseline justify-between font-semibold">
        {title}
        {count !== undefined && <span className="font-normal text-muted tabular-nums">{count}</span>}
      </h2>
      {children}
    </section>
  );
}
