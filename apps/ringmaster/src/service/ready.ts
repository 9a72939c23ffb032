import { toTimestamp } from '@holdfast/base';

import { sumOf, weighted } from '../model/graph/combine.ts';
import { waitedDays } from '../model/time.ts';
import type { Explanation } from '../operations/graph.ts';
import { type Blocker, blockersOf } from '../store/dependencies.ts';
import { graphVersion } from '../store/meta.ts';
import { chosenProject } from '../store/projects.ts';
import { latestRun } from '../store/ranking.ts';
import {
  existingTask,
  listQueue,
  listReady,
  type QueueRow,
  readyIds,
  type ReadyTask,
  unfinishedTasks,
} from '../store/tasks.ts';
import { budgetProblem } from './budget.ts';
import { LISTED_RANKS, refreshRanks } from './rank.ts';
import type { Ringmaster } from './ringmaster.ts';

interface ReadyQuery {
  readonly project?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly limit: number;
  readonly all_types?: boolean | undefined;
}

export async function readyTasks(
  rm: Ringmaster,
  { project, labels, limit, all_types = false }: ReadyQuery,
): Promise<readonly ReadyTask[]> {
  const { store } = rm;
  // Reports a misspelt project, which would otherwise look like a project without ready tasks.
  if (project !== undefined) chosenProject(store.reader, project);
  await refreshRanks(rm, LISTED_RANKS);
  return listReady(store.reader, { project, labels, limit, allTypes: all_types });
}

/** Returns the task that a claim would take next, with the reasons; null if nothing is ready. */
export async function nextTask(
  rm: Ringmaster,
  { project }: { readonly project?: string | undefined },
): Promise<Explanation | null> {
  await refreshRanks(rm);
  const [first] = await readyTasks(rm, { project, limit: 1 });
  return first === undefined ? null : explain(rm, first.id);
}

export async function showQueue(rm: Ringmaster): Promise<readonly QueueRow[]> {
  await refreshRanks(rm, LISTED_RANKS);
  return listQueue(rm.store.reader);
}

/** Explains why a task has its position in the queue, or why it is not queued. */
export async function why(rm: Ringmaster, { task }: { readonly task: string }): Promise<Explanation> {
  await refreshRanks(rm);
  return explain(rm, task);
}

/** The terms of a finished task, which is not ranked. */
const noTerms = { pagerank: 0, betweenness: 0, critical: 0, manual: 0, aging: 0 } as const;

/** Explains the position of a task from the stored ranks. */
export function explain(rm: Ringmaster, id: string): Explanation {
  const tx = rm.store.reader;
  const task = existingTask(tx, id);
  const run = latestRun(tx);
  const values = {
    pagerank: task.pagerank_score,
    betweenness: task.betweenness_score,
    critical: task.on_critical_path === 1,
  };
  const max = { pagerank: run?.pagerank_max ?? 0, betweenness: run?.betweenness_max ?? 0 };
  // Uses the waiting time at the time of ranking, on which the stored score is based.
  const waited = run === undefined ? 0 : waitedDays(task, Date.parse(run.computed_at));
  const isDone = task.status === 'done';
  const terms = isDone ? noTerms : weighted(values, task.priority, waited, max, rm.config);
  const ready = readyIds(tx).indexOf(id);
  return {
    id,
    title: task.title,
    status: task.status,
    is_ready: ready >= 0,
    queue_position: ready >= 0 ? ready + 1 : null,
    terms,
    own: sumOf(terms),
    combined: isDone ? 0 : task.combined_priority,
    inherited_from: task.inherited_from,
    holds: reasonsToWait(rm, id),
    is_current: run?.graph_version === graphVersion(tx),
    is_approximate: run?.is_approximate === 1,
  };
}

/** Maximum number of tasks that the reply to an unsuccessful claim names. */
const NAMED_MAX = 3;

/** Says why a worker that asked for a task got none. */
export function whyNoTask(
  rm: Ringmaster,
  { worker, project }: { readonly worker: string; readonly project?: string | undefined },
): string {
  const tasks = unfinishedTasks(rm.store.reader, project);
  if (tasks.length === 0) return 'no unfinished task is left for workers';
  const named = tasks.slice(0, NAMED_MAX).map(({ id }) => {
    const reasons = reasonsToWait(rm, id).join(', ');
    return `${id}: ${reasons === '' ? `${worker} may not take it (see 'ringmaster task show ${id}')` : reasons}`;
  });
  const others = tasks.length - named.length;
  return [...named, ...(others === 0 ? [] : [`and ${others} more unfinished tasks`])].join('; ');
}

/** Explains why a task with this status is not assigned to a worker. */
function stateText(status: string): string {
  if (status === 'in_progress' || status === 'assigned') return 'a worker is working on it';
  if (status === 'done') return 'it is done';
  if (status === 'failed') return 'it has failed and is not retried automatically';
  return `it is ${status === 'review' ? 'in review' : status}`;
}

/** Returns why a task is not assigned to a worker now; empty if it can start. */
export function reasonsToWait(rm: Ringmaster, id: string): string[] {
  const task = existingTask(rm.store.reader, id);
  const now = toTimestamp(rm.clock());
  const budget = budgetProblem(rm.store.reader, rm, id);
  return [
    ...(task.status === 'ready' ? [] : [stateText(task.status)]),
    ...(task.type === 'task' || task.type === 'subtask' ? [] : [`workers do not get tasks of type ${task.type}`]),
    ...(task.external_owner === null ? [] : [`${task.external_owner} works on it outside ringmaster`]),
    ...(task.is_work === 1 && task.is_pinned === 0 ? [] : ['it is pinned or not a work item']),
    ...(task.archived_at === null ? [] : [task.deleted_at === null ? 'it is archived' : 'it is deleted']),
    ...(task.defer_until !== null && task.defer_until > now ? [`it is deferred until ${task.defer_until}`] : []),
    ...(task.next_eligible_at !== null && task.next_eligible_at > now
      ? [`it failed and is retried after ${task.next_eligible_at}`]
      : []),
    ...(budget === undefined || task.status !== 'ready' ? [] : [budget.text]),
    ...blockersOf(rm.store.reader, id).map((blocker) => blockerText(id, blocker)),
  ];
}

export function blockerText(id: string, { task, by, by_type: byType, status, type }: Blocker): string {
  const who = task === id ? 'it' : `its parent ${task}`;
  if (byType === 'decision') return `${who} waits for the decision ${by}`;
  if (type === 'conditional-blocks') {
    const never = status === 'done' ? ', which is done, so it will not run' : ` (${status})`;
    return `${who} runs only if ${by} fails${never}`;
  }
  const what = type === 'waits-for' ? `${by} or its parts` : by;
  return status === 'failed'
    ? `${who} waits for ${what}, and ${by} has failed`
    : `${who} waits for ${what} (${status})`;
}
