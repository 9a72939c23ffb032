import { useQuery } from '@tanstack/react-query';
import { ArrowRight, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { commitsQuery, keyQuery } from '../../api/queries.ts';
import type { DatabaseName } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { count, shortKey } from '../../lib/format.ts';
import { Tag } from '../../ui/badge.tsx';
import { Button, CopyButton, IconButton } from '../../ui/button.tsx';
import { KeyLink, OperationBadge } from '../../ui/changes.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Graph } from '../../ui/graph/graph.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Loaded } from '../../ui/page.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { recordOf, relationsOf } from './relations.ts';

interface KeyDetailProps {
  readonly name: DatabaseName;
  readonly text: string;
  readonly onClose: () => void;
}

export function KeyDetail({ name, text, onClose }: KeyDetailProps): ReactNode {
  const stored = useQuery(keyQuery(name, text));
  return (
    <section aria-label={`Key ${text}`} className="grid min-w-0 gap-5 rounded-xl border border-line bg-surface p-5">
      <header className="flex items-start gap-1">
        <h2 className="min-w-0 flex-1 pt-1.5 font-mono text-[13px] font-semibold break-all">{text}</h2>
        <CopyButton text={text} label="Copy key" />
        <IconButton icon={X} label="Close key" onClick={onClose} />
      </header>
      <Loaded query={stored}>
        {(found) => {
          if (found === null) return <p className="text-muted">This key does not exist.</p>;
          const record = recordOf(name, text, found.value);
          return (
            <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
              <div className="flex flex-wrap items-center gap-2">
                <Tag>{found.encoding}</Tag>
                {record !== undefined && record !== text && (
                  <span className="flex min-w-0 items-center gap-1.5">
                    <ArrowRight className="size-3.5 shrink-0 text-muted" aria-hidden />
                    <span className="text-[13px] text-muted">belongs to</span>
                    <KeyLink name={name} text={record} />
                  </span>
                )}
              </div>
              <JsonView text={found.value} label="Value" />
              <RelationsGraph name={name} text={text} value={found.value} />
            </div>
          );
        }}
      </Loaded>
      <History name={name} text={text} />
    </section>
  );
}

const SHOWN = 10;
const TOGETHER = 8;

function History({ name, text }: Pick<KeyDetailProps, 'name' | 'text'>): ReactNode {
  const { data: commits = [] } = useQuery(commitsQuery(name));
  const touching = commits.flatMap((commit) => {
    const change = commit.changes.find(({ key }) => key === text);
    return change === undefined ? [] : [{ commit, change }];
  });
  if (touching.length === 0) return <p className="text-[13px] text-muted">No recent commit changed this key.</p>;
  const others = touching[0]?.commit.changes.filter(({ key }) => key !== text).slice(0, TOGETHER) ?? [];
  return (
    <>
      {others.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-semibold">Written in the same commit</h3>
          <ul className="grid gap-1">
            {others.map(({ key }, at) => (
              <li key={at}>
                <KeyLink name={name} text={key} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="grid gap-3">
        <h3 className="font-semibold">History</h3>
        <Timeline
          moments={touching.slice(0, SHOWN).map(({ commit, change }) => ({
            id: String(commit.revision),
            at: commit.at,
            title: (
              <span className="flex items-center gap-2">
                #{commit.revision} <OperationBadge operation={change.operation} />
              </span>
            ),
            detail: <DiffView label={`Revision ${commit.revision}`} before={change.before} after={change.after} />,
          }))}
        />
      </div>
    </>
  );
}

interface RelationsGraphProps {
  readonly name: DatabaseName;
  readonly text: string;
  readonly value: string;
}

const kinds = { index: { word: 'is an index of' } } as const;

function RelationsGraph({ name, text, value }: RelationsGraphProps): ReactNode {
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
