import { follow, parseStoredList, parseStoredObject } from '@holdfast/base';

import { budgetText } from '../model/budget.ts';
import type { Status } from '../operations/workspace.ts';
import { countUnmerged, pendingMerges } from '../store/attempt-runs.ts';
import { liveAttempts } from '../store/attempts.ts';
import { countUnresolved } from '../store/beads.ts';
import { type EventQuery, listEvents, type StoredEvent } from '../store/events.ts';
import { countOpen } from '../store/inquiries.ts';
import { graphVersion, metaText } from '../store/meta.ts';
import { undeliverable } from '../store/notifications.ts';
import { latestRun } from '../store/ranking.ts';
import { countBy, countReady } from '../store/tasks.ts';
import { countByStatus, type DayMetrics, metricsByDay } from '../store/workers.ts';
import { reachedBudgets } from './budget.ts';
import { listBackups } from './backup.ts';
import { readyTasks } from './ready.ts';
import type { Ringmaster } from './ringmaster.ts';
import { allSupervisors } from './run/supervisors.ts';
import { parkedWorkers, PAUSED } from './workers.ts';

export function statusOf(rm: Ringmaster, { project }: { readonly project?: string | undefined }): Status {
  const tx = rm.store.reader;
  return {
    tasks: countBy(tx, 'status', project),
    ready: countReady(tx),
    running: liveAttempts(tx).length,
    workers: countByStatus(tx),
    parked_workers: parkedWorkers(rm),
    open_decisions: countOpen(tx, 'decision'),
    open_questions: countOpen(tx, 'question'),
    unresolved_links: countUnresolved(tx),
    budgets_reached: reachedBudgets(tx, rm).map((used) => budgetText(rm.config.budget, used)),
    undelivered_notifications: undeliverable(tx).length,
    pending_merges: pendingMerges(tx).length,
    unmerged: countUnmerged(tx),
    ranks_are_current: latestRun(tx)?.graph_version === graphVersion(tx),
    last_backup: listBackups(rm).at(-1)?.created_at ?? null,
    revision: rm.store.database.revision(),
    paused_at: metaText(tx, PAUSED) || null,
    supervisors: [...allSupervisors(rm)],
  };
}

const METRIC_DAYS = 90;

export function dailyMetrics({ store }: Ringmaster): readonly DayMetrics[] {
  return metricsByDay(store.reader, METRIC_DAYS);
}

const SHOWN = 10;

const instructions = (minutes: number): string => `# ringmaster

ringmaster keeps tasks and their dependencies. Work on one task at a time:

1. \`ringmaster claim NAME --json\` claims the best task and prints it with a token. NAME is your own name, such as
   \`agent-7\`, without spaces; the first claim adds you as a worker. Exit code 3: no task is available, and
   \`reason\` says why. If you wait for an answer, try again every 30 s; otherwise stop.
2. \`ringmaster prompt TASK\` prints what you need: description, conventions, results of earlier tasks, answers and
   earlier failures. \`ringmaster task show TASK\` prints its state, attempts with their reasons, questions and answers.
3. Work in this directory. Run \`ringmaster heartbeat --token N\` at least every ${minutes} min. If it says that the task was
   cancelled, stop and report \`released\`. If it fails with STALE_TOKEN, you have lost the task: stop, and do not report.
4. In a git repository, commit your changes. Then \`ringmaster report TASK --token N -s completed\` ends your claim. Other results:
   - \`-s failed -r WHY\`: it cannot be done this way; ringmaster retries it later
   - \`-s review -r WHY\`: a person has to check it first
   - \`-s blocked -r WHY\`: something is missing; a person has to act
   - \`-s released\`: you stop without a result; anybody may claim it again
   Add \`-o FILE\` to store a log.

If a command fails with another error, follow its hint. If the hint does not help, stop and tell a person.

When a person has to decide, run \`ringmaster decide TASK QUESTION -o A -o B --token N\`: it prints the id of the decision
and ends your claim, so claim the next task. A person, not you, runs \`ringmaster answer ID ANSWER\`. The task then becomes
ready again, so you can claim it with a new token. The answer is in its prompt and in \`task show\`. If you can continue without the answer, use
\`ringmaster ask TASK QUESTION --default ANSWER --token N\` instead.

When you discover more work, run \`ringmaster task add TITLE -d TEXT --actor NAME\`. The task is ready at once; with
\`--draft\`, a person starts it later. Two options are for tasks that belong together: \`--depends-on TASK\` starts it
after TASK, and \`--parent TASK\` makes it a part of TASK. \`--actor NAME\` records your name.
You need it only for commands without \`--token\`. \`export RINGMASTER_TOKEN=N\` replaces both; repeat it after each claim.

\`ringmaster ready\` lists tasks that can start, \`ringmaster why TASK\` explains why one cannot, \`ringmaster inquiries\`
lists open decisions and questions.
`;

/** Instructions for an agent, including the current state. */
export async function primer(
  rm: Ringmaster,
  { project }: { readonly project?: string | undefined },
): Promise<{ readonly text: string }> {
  const status = statusOf(rm, { project });
  const ready = await readyTasks(rm, { project, limit: SHOWN });
  const minutes = Math.max(1, Math.floor(rm.config.queue.lease_seconds / 120));
  const state = [
    `${status.ready} ready, ${status.running} running, ${status.open_decisions} open decisions.`,
    ...ready.map(({ id, priority, title }) => `- ${id} ${priority} ${title}`),
  ];
  return { text: `${instructions(minutes)}\n${state.join('\n')}` };
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
  if (text === null) return null;
  return text.startsWith('[') ? parseStoredList(text) : parseStoredObject(text);
}
