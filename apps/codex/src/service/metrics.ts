import { DAY, SECOND, toTimestamp } from '@holdfast/base';

import type { Notebook } from '../model/notebook.ts';
import { gitLags, queueCounts, recentLatencies } from '../store/metrics.ts';
import { listNotebooks } from '../store/notebooks.ts';
import type { CodexContext } from './context.ts';

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

/** How the queue is doing, or its part for one notebook: what the seed counts, and what tells whether it keeps up. */
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

/** The same for a collector, in its text format. */
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
