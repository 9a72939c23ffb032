import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';

import { type GroupKind, groupsQuery } from '../../../api/audiobooks-queries.ts';
import type { Group } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { count } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { NotLoaded } from '../../../ui/loaded.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';

interface GroupsListProps {
  readonly kind: GroupKind;
  readonly label: string;
  readonly q: string;
  /** How to add the first one. */
  readonly none?: string;
  /** Link target of a group. */
  readonly target: (group: Group) => Target;
}

interface Target {
  readonly view: string;
  readonly id?: string;
  readonly search?: Readonly<Record<string, string>>;
}

const ROW_HEIGHT = 45;

/** Authors, series or narrators with their number of books. */
export function GroupsList(props: GroupsListProps): ReactNode {
  const { kind, label, q, none = 'Scan a library to add them.', target } = props;
  const query = useInfiniteQuery(groupsQuery(kind, q));
  const { data } = query;
  const { rows: groups, more } = useRows(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (groups.length === 0) {
    return (
      <EmptyState icon={SearchX} title="No entries">
        <p>{q === '' ? none : 'Try another part of the name.'}</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label={label}
      rows={groups}
      rowHeight={ROW_HEIGHT}
      keyOf={({ id }) => id}
      onEnd={more}
      render={(group) => <Row group={group} target={target(group)} />}
    />
  );
}

function Row({
  group,
  target: { view, id, search = {} },
}: {
  readonly group: Group;
  readonly target: Target;
}): ReactNode {
  const content = (
    <>
      <span dir="auto" className="min-w-0 flex-1 truncate font-medium" title={group.name}>
        {group.name}
      </span>
      <span className="shrink-0 text-[13px] text-muted tabular-nums">{count(group.books, 'book')}</span>
    </>
  );
  const rowClass = 'flex items-center gap-4 px-5 py-3 leading-5 -outline-offset-2 hover:bg-sunken';
  return id === undefined ? (
    <Link to="/books/$view" params={{ view }} search={search} className={rowClass}>
      {content}
    </Link>
  ) : (
    <Link to="/books/$view/$id" params={{ view, id }} className={rowClass}>
      {content}
    </Link>
  );
}
