import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText, Folder, KeyRound } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { keysQuery } from '../../api/queries.ts';
import type { DatabaseName } from '../../api/types.ts';
import { useMore } from '../../api/use-rows.ts';
import { count } from '../../lib/format.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotLoaded } from '../../ui/loaded.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { type Entry, flat, grouped, pastFolder, steps } from './grouping.ts';

interface KeyListProps {
  readonly name: DatabaseName;
  readonly prefix: string;
  readonly isFlat: boolean;
  readonly chosen: string;
  readonly onFolder: (prefix: string) => void;
  readonly onKey: (key: string) => void;
}

const ROW_HEIGHT = 41;

export function KeyList({ name, prefix, isFlat, chosen, onFolder, onKey }: KeyListProps): ReactNode {
  const place = isFlat ? { mode: 'flat' } : { mode: 'folders', skipOf: pastFolder(prefix) };
  const query = useInfiniteQuery(keysQuery({ name, prefix, ...place }));
  const { data } = query;
  const entries = useMemo(() => {
    const pages = data?.pages ?? [];
    return isFlat ? flat(pages) : grouped(pages, prefix);
  }, [data, isFlat, prefix]);
  const more = useMore(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (entries.length === 0) {
    return (
      <EmptyState icon={KeyRound} title="No keys">
        <p>{prefix === '' ? 'This keyspace is empty.' : 'No key starts with this prefix.'}</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Keys"
      rows={entries}
      rowHeight={ROW_HEIGHT}
      keyOf={(entry) => (entry.kind === 'folder' ? `folder ${entry.prefix}` : entry.stored.key)}
      onEnd={more}
      render={(entry) => (
        <Row
          entry={entry}
          prefix={isFlat ? '' : (steps(prefix).at(-1) ?? '')}
          chosen={chosen}
          onFolder={onFolder}
          onKey={onKey}
        />
      )}
    />
  );
}

interface RowProps extends Pick<KeyListProps, 'prefix' | 'chosen' | 'onFolder' | 'onKey'> {
  readonly entry: Entry;
}

const rowClass = 'flex h-10 w-full items-center gap-3 px-5 text-left font-mono text-[13px] -outline-offset-2';

function Row({ entry, prefix, chosen, onFolder, onKey }: RowProps): ReactNode {
  if (entry.kind === 'folder') {
    return (
      <button type="button" onClick={() => onFolder(entry.prefix)} className={`${rowClass} hover:bg-sunken`}>
        <Folder className="size-4 shrink-0 text-accent" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{entry.prefix.slice(prefix.length)}</span>
        <span className="shrink-0 font-sans text-xs text-muted">
          {count(entry.count)}
          {entry.isPartial && '+'} {entry.count === 1 && !entry.isPartial ? 'key' : 'keys'}
        </span>
      </button>
    );
  }
  const { key, value } = entry.stored;
  const isChosen = key === chosen;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onKey(key)}
      className={`${rowClass} ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <FileText className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="max-w-[60%] shrink-0 truncate">{key.slice(prefix.length) || key}</span>
      <span className="min-w-0 flex-1 truncate text-right text-xs text-muted">{value.slice(0, 200)}</span>
    </button>
  );
}
