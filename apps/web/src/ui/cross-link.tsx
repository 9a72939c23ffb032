import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { linksQuery } from '../api/queries.ts';
import type { FoundItem } from '../api/types.ts';
import { Tag } from './badge.tsx';
import { ListCard } from './page.tsx';

export const appNames: Readonly<Record<string, string>> = {
  np: 'Plans',
  utask: 'Tasks',
  codex: 'Notebooks',
  audiobooks: 'Audiobooks',
  ringmaster: 'Ringmaster',
};

/**
 * A link to an address in the dashboard. Shows the target's title and state, or the address if the target is unknown.
 */
export function CrossLink({ url }: { readonly url: string }): ReactNode {
  const { pathname, search, hash } = new URL(url);
  const { data } = useQuery(linksQuery(pathname));
  const target = data?.target ?? undefined;
  return (
    <span className="inline-flex max-w-full flex-wrap items-baseline gap-1">
      <Link
        to={`${pathname}${search}${hash}`}
        className="break-words underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {target === undefined ? url : <bdi>{target.title}</bdi>}
      </Link>
      {target !== undefined && <Tag>{target.state ?? target.kind}</Tag>}
    </span>
  );
}

/** Items of other applications whose text contains the address of this page. Renders nothing if there are none. */
export function LinkedFrom({ path }: { readonly path: string }): ReactNode {
  const { data } = useQuery(linksQuery(path));
  const items = data?.linked_from ?? [];
  if (items.length === 0) return null;
  return (
    <ListCard
      title="Linked from"
      label="Linked from"
      rows={items}
      limit={10}
      keyOf={({ app, id, path: at }) => `${app} ${id} ${at}`}
      render={(item) => <LinkingItem item={item} />}
    />
  );
}

function LinkingItem({ item: { app, kind, title, state, path } }: { readonly item: FoundItem }): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1 px-5 py-2.5">
      <Link to={path} className="min-w-0 font-medium break-words hover:underline">
        <bdi>{title}</bdi>
      </Link>
      <Tag>{state ?? kind}</Tag>
      <span className="text-[13px] text-muted">{appNames[app] ?? app}</span>
    </div>
  );
}
