import type { ReactNode } from 'react';

import { steps } from './grouping.ts';

interface BreadcrumbProps {
  readonly name: string;
  readonly prefix: string;
  readonly onGo: (prefix: string) => void;
}

export function Breadcrumb({ name, prefix, onGo }: BreadcrumbProps): ReactNode {
  const way = ['', ...steps(prefix)];
  return (
    <nav aria-label="Place in the keyspace" className="min-w-0 overflow-x-auto">
      <ol className="flex items-center font-mono text-[13px]">
        {way.map((step, at) => (
          <li key={step} className="flex items-center">
            <button
              type="button"
              onClick={() => onGo(step)}
              aria-current={at === way.length - 1 ? 'location' : undefined}
              className="rounded-md px-1.5 py-0.5 whitespace-nowrap text-accent-strong hover:bg-sunken"
            >
              {at === 0 ? name : step.slice(way[at - 1]?.length ?? 0)}
            </button>
          </li>
        ))}
        {prefix !== way.at(-1) && <li className="px-1 text-muted">{prefix.slice(way.at(-1)?.length ?? 0)}…</li>}
      </ol>
    </nav>
  );
}
