import { useQuery } from '@tanstack/react-query';
import { ListOrdered } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { queueQuery, whyQuery } from '../../api/ringmaster-queries.ts';
import type { Explanation, QueueEntry, ShownTask, Workspace } from '../../api/types.ts';
import { count, decimal } from '../../lib/format.ts';
import { Time } from '../../ui/badge.tsx';
import { Card, EmptyState, Loaded } from '../../ui/page.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { RunningRow, ToTask } from './widgets.tsx';

const ROW_HEIGHT = 84;

interface Ranked {
  readonly entry: QueueEntry;
  /** Undefined for running tasks, which have no rank. */
  readonly rank: number | undefined;
}

export function QueueView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const queue = useQuery(queueQuery(workspace.id));
  const rows = useMemo(() => rankedOf(queue.data ?? []), [queue.data]);
  const waiting = rows.filter(({ rank }) => rank !== undefined).length;
  return (
    <Card
      title="Queue"
      description={`${count(rows.length - waiting)} running, ${count(waiting)} ready, highest score first`}
      isFlush
    >
      <Loaded query={queue}>
        {() =>
          rows.length === 0 ? (
            <EmptyState icon={ListOrdered} title="No ready tasks">
              <p>All tasks are done or blocked. The board shows what blocks them.</p>
            </EmptyState>
          ) : (
            <div className="border-t border-line">
              <VirtualList
                label="Task queue"
                rows={rows}
                rowHeight={ROW_HEIGHT}
                keyOf={({ entry }) => entry.task_id}
                render={({ entry, rank }) =>
                  rank === undefined ? (
                    <RunningRow workspace={workspace.id} entry={entry} />
                  ) : (
                    <WaitingRow workspace={workspace.id} entry={entry} rank={rank} />
                  )
                }
              />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

function rankedOf(queue: readonly QueueEntry[]): readonly Ranked[] {
  const running = queue.filter(({ assigned_at: at }) => at !== null).length;
  return queue.map((entry, at) => ({ entry, rank: entry.assigned_at === null ? at + 1 - running : undefined }));
}

interface WaitingRowProps {
  readonly workspace: string;
  readonly entry: QueueEntry;
  readonly rank: number;
}

function WaitingRow({ workspace, entry, rank }: WaitingRowProps): ReactNode {
  const { data: why } = useQuery(whyQuery(workspace, entry.task_id, entry.priority_score));
  return (
    <div className="flex gap-4 px-5 py-3">
      <span className="w-8 shrink-0 text-right font-semibold text-muted tabular-nums">{rank}</span>
      <div className="grid min-w-0 flex-1 gap-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <ToTask workspace={workspace} id={entry.task_id}>
            {entry.title}
          </ToTask>
          <span className="text-[13px] text-muted tabular-nums">
            {decimal(entry.priority_score, 3)} · ready <Time at={entry.ready_at} />
          </span>
        </div>
        {why !== undefined && (
          <>
            <ReasonBar terms={why.terms} />
            <p className="text-[13px] text-muted">{reasonOf(why)}</p>
          </>
        )}
      </div>
    </div>
  );
}

const scoreTerms = [
  { name: 'pagerank', word: 'dependents', colour: 'bg-accent' },
  { name: 'betweenness', word: 'central position', colour: 'bg-info' },
  { name: 'critical', word: 'critical path', colour: 'bg-bad' },
  { name: 'manual', word: 'priority', colour: 'bg-warn' },
  { name: 'aging', word: 'waiting time', colour: 'bg-good' },
] as const;

/** Shows the terms of a score as one bar. Hidden from screen readers: the text next to it says the same. */
function ReasonBar({ terms }: { readonly terms: Explanation['terms'] }): ReactNode {
  return (
    <div aria-hidden className="flex h-1.5 max-w-md gap-px overflow-hidden rounded-full bg-line">
      {scoreTerms.map(({ name, colour }) => (
        <span key={name} className={colour} style={{ width: `${Math.min(1, terms[name] ?? 0) * 100}%` }} />
      ))}
    </div>
  );
}

const WORTH_TELLING = 0.005;

/** Describes the terms of a score in words, most important first. */
function reasonOf({ terms, inherited_from: heir, combined, own }: Explanation): string {
  const told = scoreTerms
    .map(({ name, word }) => ({ word, value: terms[name] ?? 0 }))
    .filter(({ value }) => value >= WORTH_TELLING)
    .toSorted((left, right) => right.value - left.value)
    .map(({ word, value }) => `${word} (${decimal(value, 2)})`);
  if (heir !== null && combined > own) told.unshift(`score inherited from ${heir}`);
  return told.length === 0 ? 'No ranking factors' : `Ranked by ${told.join(', ')}`;
}

interface ReasonsProps extends WhyCardProps {
  readonly texts: readonly string[];
}

/** The stored status of a task that waits is `ready`, which would contradict its badge. */
const READY = / \(ready\)$/u;

/** Explains why a task cannot start. Tasks that the texts mention become links. */
export function Reasons({ workspace, shown: { task, dependencies }, texts }: ReasonsProps): ReactNode {
  const titles = new Map(dependencies.map(({ id, title }) => [id, title]));
  if (task.parent_id !== null) titles.set(task.parent_id, task.parent_id);
  return (
    <ul className="grid list-disc gap-1 pl-4 text-[13px] text-muted">
      {texts.map((text) => (
        <li key={text} className="break-words first-letter:uppercase">
          {text
            .replace(READY, '')
            .split(/([^\s,()]+)/u)
            .map((word, at) =>
              titles.has(word) ? (
                <ToTask key={at} workspace={workspace} id={word}>
                  {titles.get(word)}
                </ToTask>
              ) : (
                word
              ),
            )}
        </li>
      ))}
    </ul>
  );
}

interface WhyCardProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

export function WhyCard({ workspace, shown }: WhyCardProps): ReactNode {
  const { task } = shown;
  const why = useQuery(whyQuery(workspace, task.id, `${task.version} ${task.combined_priority}`));
  return (
    <Card title="Ranking" description="This task's score in the queue">
      <Loaded query={why}>
        {({ terms, own, combined, queue_position: rank, inherited_from: heir, holds, is_current: isCurrent }) => (
          <div className="grid gap-4">
            <p>
              {rank === null ? 'Not in the queue.' : `Number ${rank} in the queue.`}{' '}
              <span className="text-muted">Score {decimal(combined, 3)}</span>
            </p>
            <Terms terms={terms} />
            {combined > own + 1e-9 && heir !== null && (
              <p className="text-[13px] text-muted">
                Its own score is {decimal(own, 3)}; the rest is inherited from{' '}
                <ToTask workspace={workspace} id={heir}>
                  {heir}
                </ToTask>
                , which depends on this task.
              </p>
            )}
            {holds.length > 0 && <Reasons workspace={workspace} shown={shown} texts={holds} />}
            {!isCurrent && <p className="text-[13px] text-warn">The task graph has changed since this ranking.</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Terms({ terms }: { readonly terms: Explanation['terms'] }): ReactNode {
  const most = Math.max(...Object.values(terms), 0.001);
  return (
    <ul className="grid gap-2">
      {scoreTerms.map(({ name, word }) => (
        <li key={name} className="grid gap-1">
          <div className="flex justify-between gap-3 text-[13px]">
            <span className="text-muted first-letter:uppercase">{word}</span>
            <span className="tabular-nums">{decimal(terms[name] ?? 0, 3)}</span>
          </div>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
            <div className="h-full rounded-full bg-accent" style={{ width: `${((terms[name] ?? 0) / most) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
