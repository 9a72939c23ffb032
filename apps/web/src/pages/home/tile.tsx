import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { buttonClass } from '../../ui/button.tsx';

interface TileProps {
  readonly title: string;
  readonly what: string;
  readonly badge?: ReactNode;
  readonly children?: ReactNode;
  /** Shown above the facts. */
  readonly below?: ReactNode;
  readonly facts?: readonly (readonly [name: string, value: ReactNode])[];
  /** Links and buttons. */
  readonly doors?: ReactNode;
}

export function Tile({ title, what, badge, children, below, facts = [], doors }: TileProps): ReactNode {
  return (
    <article aria-label={title} className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5">
      <header>
        <div className="flex min-h-6 items-start justify-between gap-3">
          <h2 className="font-semibold">{title}</h2>
          {badge}
        </div>
        <p className="mt-1 text-[13px] text-muted">{what}</p>
      </header>
      <div className="flex-1">{children}</div>
      {below}
      {facts.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)] gap-3 border-t border-line pt-4">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-[13px] text-muted">{name}</dt>
              <dd className="truncate font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <footer className="flex flex-wrap gap-2">{doors}</footer>
    </article>
  );
}

export function OpenButton({ path, title }: { readonly path: string; readonly title: string }): ReactNode {
  return (
    <Link to={path} className={buttonClass('primary', 'small')}>
      Open<span className="sr-only"> {title.toLowerCase()}</span>
    </Link>
  );
}
