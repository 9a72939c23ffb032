import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Card } from '../../../ui/card.tsx';
import { lengthText } from '../book-text.ts';

interface TopEntry {
  readonly key: string;
  readonly name: string;
  readonly seconds: number;
  /** Link target; undefined for books that no longer exist. */
  readonly to?: { readonly view: string; readonly id?: string; readonly search?: Readonly<Record<string, string>> };
}

interface TopListProps {
  readonly title: string;
  readonly entries: readonly TopEntry[];
}

const SHOWN = 8;

/** Entries with the most listening time, as bars. */
export function TopList({ title, entries }: TopListProps): ReactNode {
  const most = entries[0]?.seconds ?? 0;
  return (
    <Card title={title}>
      {entries.length === 0 ? (
        <p className="text-muted">No data yet</p>
      ) : (
        <ol className="grid gap-3">
          {entries.slice(0, SHOWN).map((entry) => (
            <li key={entry.key} className="grid gap-1">
              <span className="flex items-baseline gap-3">
                <span className="min-w-0 flex-1 truncate" dir="auto">
                  <Name entry={entry} />
                </span>
                <span className="shrink-0 text-[13px] text-muted tabular-nums">
                  {lengthText(entry.seconds * 1_000)}
                </span>
              </span>
              <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${most === 0 ? 0 : Math.max(2, (entry.seconds / most) * 100)}%` }}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Name({ entry: { name, to } }: { readonly entry: TopEntry }): ReactNode {
  if (to === undefined) return <span className="text-muted">{name}</span>;
  const search = to.search ?? {};
  return to.id === undefined ? (
    <Link to="/books/$view" params={{ view: to.view }} search={search} className="font-medium hover:underline">
      {name}
    </Link>
  ) : (
    <Link
      to="/books/$view/$id"
      params={{ view: to.view, id: to.id }}
      search={search}
      className="font-medium hover:underline"
    >
      {name}
    </Link>
  );
}
