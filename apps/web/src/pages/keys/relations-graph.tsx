import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { commitsQuery } from '../../api/queries.ts';
import type { DatabaseName } from '../../api/types.ts';
import { count, shortKey } from '../../lib/format.ts';
import { useFilters } from '../../lib/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Graph } from '../../ui/graph/graph.tsx';
import { relationsOf } from './relations.ts';

interface RelationsGraphProps {
  readonly name: DatabaseName;
  readonly text: string;
  readonly value: string;
}

const kinds = { index: { word: 'is an index of' } } as const;

/** A record and its index keys. */
export function RelationsGraph({ name, text, value }: RelationsGraphProps): ReactNode {
  const { data: commits } = useQuery(commitsQuery(name));
  const [, change] = useFilters();
  const [isOpen, setOpen] = useState(false);
  const { record, indexes } = useMemo(
    () => relationsOf(name, { text, value }, commits ?? []),
    [name, text, value, commits],
  );
  const nodes = useMemo(
    () => [
      ...indexes.map((key) => ({ id: key, label: shortKey(key), detail: 'index' })),
      { id: record, label: shortKey(record), detail: 'record' },
    ],
    [record, indexes],
  );
  const edges = useMemo(() => indexes.map((key) => ({ from: key, to: record, kind: 'index' })), [record, indexes]);
  const highlight = useMemo(() => new Set([text]), [text]);
  if (indexes.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold">Indexes</h3>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide indexes' : `Show ${count(indexes.length, 'index', 'indexes')}`}
        </Button>
      </div>
      {isOpen && (
        <div className="min-w-0 overflow-hidden rounded-lg border border-line">
          <Graph
            label="Indexes of this record"
            nodes={nodes}
            edges={edges}
            kinds={kinds}
            highlight={highlight}
            onOpen={(key) => change({ key }, true)}
          />
        </div>
      )}
    </div>
  );
}
