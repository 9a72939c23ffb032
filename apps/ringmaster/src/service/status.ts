import { follow } from '@holdfast/base';

import type { Status } from '../operations/workspace.ts';
import { countUnmerged, pendingMerges } from '../store/attempt-runs.ts';
import { liveAttempts } from '../store/attempts.ts';
import { countUnresolved } from '../store/beads.ts';
import { type EventQuery, listEvents, type StoredEvent } from '../store/events.ts';
import { countOpen } from '../store/inquiries.ts';
import { graphVersion, metaText } from '../store/meta.ts';
import { latestRun } from '../store/ranking.ts';
import { countBy, countReady } from '../store/tasks.ts';
import { countByStatus, type DayMetrics, metricsByDay } from '../store/workers.ts';
import { listBackups } from './backup.ts';
import { readyTasks } from './ready.ts';
import type { Ringmaster } from './ringmaster.ts';
import { PAUSED } from './workers.ts';

export function statusOf(rm: Ringmaster, { project }: { readonly project?: string | undefined }): Status {
  const tx = rm.store.reader;
  return {
    tasks: countBy(tx, 'status', project),
    ready: countReady(tx),
    running: liveAttempts(tx).length,
    workers: countByStatus(tx),
    open_decisions: countOpen(tx, 'decision'),
    open_questions: countOpen(tx, 'question'),
    unresolved_links: countUnresolved(tx),
    pending_merges: pendingMerges(tx).length,
    unmerged: countUnmerged(tx),
    ranks_are_current: latestRun(tx)?.graph_version === graphVersion(tx),
    last_backup: listBackups(rm).at(-1)?.created_at ?? null,
    revision: rm.store.database.revision(),
    paused_at: metaText(tx, PAUSED) || null,
  };
}

const METRIC_DAYS = 90;

export function dailyMetrics({ store }: Ringmaster): readonly DayMetrics[] {
  return metricsByDay(store.reader, METRIC_DAYS);
}

const SHOWN = 10;

/** Instructions for an agent, including the current state. */
export function primer(
  rm: Ringmaster,
  { project }: { readonly project?: string | undefined },
): { readonly text: string } {
  const status = statusOf(rm, { project });
  const ready = readyTasks(rm, { project, limit: SHOWN });
  const text = [
    '# ringmaster',
    '',
    'ringmaster keeps tasks and their dependencies. Claim a task, keep its token, and report the result.',
    '',
    '- `ringmaster claim WORKER --json`: claims the best task and prints a token (exit code 3: no task is available)',
    '- `ringmaster heartbeat --token N`: extends the lease; run it at least every few minutes, and stop working when it says so',
    '- `ringmaster report TASK --token N -s completed|failed|review|blocked [-r WHY] [-o LOG]`',
    '- `ringmaster task add TITLE --parent TASK --depends-on TASK`: adds work that you discovered',
    '- `ringmaster decide TASK QUESTION -o A -o B`: asks a person to decide; use `ringmaster ask` if work can continue without the answer',
    '- `ringmaster task show TASK`, `ringmaster why TASK`, `ringmaster ready`',
    '',
    `${status.ready} ready, ${status.running} running, ${status.open_decisions} open decisions.`,
    ...ready.map(({ id, priority, title }) => `- ${id} ${priority} ${title}`),
  ].join('\n');
  return { text };
}

const PAGE = 500;

export interface RingmasterEvent extends Omit<StoredEvent, 'data' | 'before' | 'after'> {
  readonly data: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the newest `limit` events, oldest first. With `since`, returns the first `limit` events after that id. */
export function allEvents({ store }: Ringmaster, query: EventQuery): readonly RingmasterEvent[] {
  return listEvents(store.reader, query).map(withParsedData);
}

/** Yields every event after `since`, including those of other processes, until aborted. */
export async function* followEvents(
  { store }: Ringmaster,
  query: Omit<EventQuery, 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<RingmasterEvent> {
  const last = listEvents(store.reader, { limit: 1 }).at(-1)?.id ?? 0;
  const source = {
    read: (since: number) =>
      listEvents(store.reader, { ...query, since, limit: PAGE }).map((event) => ({ revision: event.id, event })),
    subscribe: (wake: () => void) => store.database.onChange(wake),
  };
  for await (const { event } of follow(source, query.since ?? last, signal)) yield withParsedData(event);
}

function withParsedData({ data, before, after, ...event }: StoredEvent): RingmasterEvent {
  return { ...event, data: parsed(data), before: parsed(before), after: parsed(after) };
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
