import { DAY, SECOND, toTimestamp } from '@holdfast/base';

import { failureOf } from '../model/failure.ts';
import type { Notebook } from '../model/notebook.ts';
import { type QueueHistory, queueHistoryOf, type Sample, stepMs } from '../model/queue-history.ts';
import type { InNotebook } from '../operations/fields.ts';
import type { QueueStatus } from '../operations/notebooks.ts';
import type { QueueHistoryInput } from '../operations/queue.ts';
import { doneByStep, gitLags, queueCounts, queueNow, recentLatencies } from '../store/metrics.ts';
import { listNotebooks, type ProblemRow } from '../store/notebooks.ts';
import { requireFolder } from '../watch/disks.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { notebookFor } from './notebooks.ts';
import { pauseOf } from './pause.ts';
import { knownProblems } from './problems.ts';
import { conflictsOf, remotesOf } from './remote-views.ts';

const LATENCIES_MAX = 1_000;

type NotebookMetrics = Pick<
  QueueStatus['notebooks'][number],
  'notebook_id' | 'pending' | 'processing' | 'dead' | 'git_pending' | 'git_lag_seconds'
>;
type Metrics = Omit<QueueStatus, 'notebooks'> & { readonly notebooks: readonly NotebookMetrics[] };

/**
 * Returns metrics for all queues or for one notebook: those that codex's design document defines, and more about
 * latency.
 */
export function metrics({ store, clock }: CodexContext, only?: Notebook): Metrics {
  const now = clock();
  const dayAgo = toTimestamp(now - DAY);
  const { oldest_pending_at, ...counts } = queueCounts(store.reader, dayAgo, only?.id ?? null);
  const latencies = recentLatencies(store.reader, LATENCIES_MAX, only?.id ?? null);
  const lags = new Map(gitLags(store.reader).map((lag) => [lag.notebook_id, lag]));
  const notebooks = (only === undefined ? listNotebooks(store.reader) : [only]).map(({ id }): NotebookMetrics => {
    const { pending, processing, dead } = queueCounts(store.reader, dayAgo, id);
    const { waiting = 0, oldest_at } = lags.get(id) ?? {};
    const git_lag_seconds = secondsSince(oldest_at, now);
    return { notebook_id: id, pending, processing, dead, git_pending: waiting, git_lag_seconds };
  });
  return {
    ...counts,
    oldest_pending_seconds: secondsSince(oldest_pending_at, now),
    latency_p50_ms: percentile(latencies, 0.5),
    latency_p95_ms: percentile(latencies, 0.95),
    notebooks,
  };
}

function secondsSince(time: string | null | undefined, now: number): number {
  return time === null || time === undefined ? 0 : Math.max(0, (now - Date.parse(time)) / SECOND);
}

function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

export function prometheusText({ notebooks, ...totals }: Metrics): string {
  const lines = Object.entries(totals).flatMap(([name, value]) =>
    value === null ? [] : [`# TYPE codex_${name} gauge`, `codex_${name} ${value}`],
  );
  for (const name of ['pending', 'processing', 'dead', 'git_pending', 'git_lag_seconds'] as const) {
    lines.push(`# TYPE codex_notebook_${name} gauge`);
    for (const each of notebooks) lines.push(`codex_notebook_${name}{notebook="${each.notebook_id}"} ${each[name]}`);
  }
  return `${lines.join('\n')}\n`;
}

interface GitState {
  readonly problem: string | null;
  readonly held: readonly string[];
}

type NotebookProblem = Pick<ProblemRow, 'source' | 'code' | 'message' | 'since'>;

export async function queueStatus(codex: Codex, { notebook: name }: InNotebook): Promise<QueueStatus> {
  const only = name === undefined ? undefined : notebookFor(codex, name);
  const states = new Map<number, GitState>();
  for (const { notebook_id, git_pending } of metrics(codex, only).notebooks) {
    if (git_pending > 0) states.set(notebook_id, await gitState(codex, notebook_id));
  }
  const found = metrics(codex, only);
  const known = new Map(listNotebooks(codex.store.reader).map((each) => [each.id, each]));
  const notebooks = found.notebooks.map(async (each) => {
    const notebook = known.get(each.notebook_id);
    return {
      ...each,
      name: notebook?.name ?? '',
      reconciled_at: notebook?.reconciled_at ?? null,
      paused: notebook === undefined ? null : pauseOf(notebook),
      git_problem: states.get(each.notebook_id)?.problem ?? null,
      held: states.get(each.notebook_id)?.held ?? [],
      problems: problemsOf(codex, notebook),
      remotes: notebook === undefined ? [] : await remotesOf(codex, notebook),
      conflicts: notebook === undefined ? [] : conflictsOf(codex, notebook),
    };
  });
  return { ...found, notebooks: await Promise.all(notebooks) };
}

/** A server commits in the background. A command commits now, so that it can report what prevents commits. */
async function gitState({ git, isRunning }: Codex, notebookId: number): Promise<GitState> {
  if (isRunning) return git.status(notebookId);
  try {
    await git.flush(notebookId);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), held: [] };
  }
  return { problem: null, held: (await git.status(notebookId)).held };
}

/** Returns the problems that running processes have stored. If there are none, checks the folder. */
function problemsOf({ store, clock }: Codex, notebook: Notebook | undefined): readonly NotebookProblem[] {
  if (notebook === undefined) return [];
  const known = knownProblems(store.reader).filter(({ notebook_id }) => notebook_id === notebook.id);
  if (known.length > 0) return known;
  try {
    requireFolder(store.reader, notebook);
    return [];
  } catch (error) {
    const { code, message } = failureOf(error);
    return [{ source: 'folder', code, message, since: toTimestamp(clock()) }];
  }
}

const SAMPLE_EVERY_MS: number = 5 * SECOND;
const SAMPLES_MAX: number = DAY / SAMPLE_EVERY_MS;

/**
 * Samples the queue over the last day. Throughput is counted from events. Waiting times are sampled in memory only, so
 * a restart loses them.
 */
export class QueueSampler {
  readonly #codex: CodexContext;
  readonly #samples: Sample[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(codex: CodexContext) {
    this.#codex = codex;
  }

  start(): void {
    const sample = (): void => {
      try {
        this.#sample();
      } catch (error) {
        this.#codex.problems.tell(error, { part: 'maintenance' });
      }
    };
    this.#timer = setInterval(sample, SAMPLE_EVERY_MS).unref();
    sample();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const { store, clock } = this.#codex;
    const { pending, oldest_pending_at, oldest_uncommitted_at } = queueNow(store.reader);
    const at = clock();
    const oldestPendingSeconds = secondsSince(oldest_pending_at, at);
    this.#samples.push({ at, pending, oldestPendingSeconds, gitLagSeconds: secondsSince(oldest_uncommitted_at, at) });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }

  history(minutes: number): QueueHistory {
    const { store, clock } = this.#codex;
    const now = clock();
    const step = stepMs(minutes);
    const since = toTimestamp(Math.floor(now / step) * step - minutes * 60 * SECOND);
    const done = doneByStep(store.reader, since, step);
    return queueHistoryOf({ now, minutes, samples: this.#samples, doneByStep: done });
  }
}

export function queueHistory(codex: Codex, { minutes }: QueueHistoryInput): QueueHistory {
  return codex.sampler.history(minutes);
}
