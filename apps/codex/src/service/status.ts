import { DAY, SECOND, toTimestamp } from '@holdfast/base';
import type { GivenTo, OutputOf } from '@holdfast/operation';

import { failureOf } from '../model/failure.ts';
import type { Notebook } from '../model/notebook.ts';
import { gitLags, queueCounts, recentLatencies } from '../store/metrics.ts';
import { listNotebooks, type ProblemRow } from '../store/notebooks.ts';
import { requireFolder } from '../watch/require-folder.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { notebookFor } from './notebooks.ts';
import { knownProblems } from './problems.ts';

import type * as operations from '../operations/notebooks.ts';

const LATENCIES_MAX = 1_000;

interface NotebookMetrics {
  readonly notebook_id: number;
  readonly pending: number;
  readonly processing: number;
  readonly dead: number;
  readonly git_pending: number;
  readonly git_lag_seconds: number;
}

export interface Metrics {
  readonly pending: number;
  readonly processing: number;
  readonly failed_24h: number;
  readonly completed_24h: number;
  readonly dead: number;
  readonly waiting_for_retry: number;
  readonly oldest_pending_seconds: number;
  readonly latency_p50_ms: number | null;
  readonly latency_p95_ms: number | null;
  readonly unchanged_syncs_24h: number;
  readonly notebooks: readonly NotebookMetrics[];
}

/** Metrics of the queue, or of one notebook: those of the design document, and more about its latency. */
export function metrics({ store, clock }: CodexContext, only?: Notebook): Metrics {
  const now = clock();
  const dayAgo = toTimestamp(now - DAY);
  const { oldest_pending_at, ...counts } = queueCounts(store.reader, dayAgo, only?.id ?? null);
  const latencies = recentLatencies(store.reader, LATENCIES_MAX, only?.id ?? null);
  const lags = new Map(gitLags(store.reader).map((lag) => [lag.notebook_id, lag]));
  const notebooks = (only === undefined ? listNotebooks(store.reader) : [only]).map(({ id }): NotebookMetrics => {
    const { pending, processing, dead } = queueCounts(store.reader, dayAgo, id);
    const lag = lags.get(id);
    return {
      notebook_id: id,
      pending,
      processing,
      dead,
      git_pending: lag?.waiting ?? 0,
      git_lag_seconds: secondsSince(lag?.oldest_at, now),
    };
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

export async function queueStatus(
  codex: Codex,
  { notebook: name }: GivenTo<typeof operations.queueStatus>,
): Promise<OutputOf<typeof operations.queueStatus>> {
  const only = name === undefined ? undefined : notebookFor(codex, name);
  const states = new Map<number, GitState>();
  for (const { notebook_id, git_pending } of metrics(codex, only).notebooks) {
    if (git_pending > 0) states.set(notebook_id, await gitState(codex, notebook_id));
  }
  const found = metrics(codex, only);
  const known = new Map(listNotebooks(codex.store.reader).map((each) => [each.id, each]));
  const notebooks = found.notebooks.map((each) => ({
    ...each,
    name: known.get(each.notebook_id)?.name ?? '',
    reconciled_at: known.get(each.notebook_id)?.reconciled_at ?? null,
    git_problem: states.get(each.notebook_id)?.problem ?? null,
    held: states.get(each.notebook_id)?.held ?? [],
    problems: problemsOf(codex, known.get(each.notebook_id)),
  }));
  return { ...found, notebooks };
}

/** A server commits in the background; a command commits now, to find out what prevents it. */
async function gitState({ git, isRunning }: Codex, notebookId: number): Promise<GitState> {
  if (isRunning) return git.status(notebookId);
  try {
    await git.flush(notebookId);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), held: [] };
  }
  return { problem: null, held: (await git.status(notebookId)).held };
}

/** Problems of a running server; without one, checks the folder. */
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
