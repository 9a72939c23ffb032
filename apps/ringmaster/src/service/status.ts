import { liveAttempts } from '../store/attempts.ts';
import { countUnresolved } from '../store/beads.ts';
import { type DayMetrics, metricsByDay } from '../store/metrics.ts';
import { countOpen } from '../store/inquiries.ts';
import { graphVersion, metaText } from '../store/meta.ts';
import { latestRun } from '../store/ranking.ts';
import { countBy, countReady } from '../store/ready.ts';
import { countByStatus } from '../store/workers.ts';
import { listBackups } from './backup.ts';
import type { Ringmaster } from './ringmaster.ts';
import { PAUSED } from './workers.ts';

export interface Status {
  readonly tasks: Readonly<Record<string, number>>;
  readonly ready: number;
  readonly running: number;
  readonly workers: Readonly<Record<string, number>>;
  readonly open_decisions: number;
  readonly open_questions: number;
  readonly unresolved_links: number;
  readonly ranks_are_current: boolean;
  readonly last_backup: string | null;
  readonly revision: number;
  /** When all workers were paused. */
  readonly paused_at: string | null;
}

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
    ranks_are_current: latestRun(tx)?.graph_version === graphVersion(tx),
    last_backup: listBackups(rm).at(-1)?.created_at ?? null,
    revision: rm.store.database.revision(),
    paused_at: metaText(tx, PAUSED) || null,
  };
}

const METRIC_DAYS = 90;

/** Attempts by day: how many, how long, at what cost. */
export function dailyMetrics({ store }: Ringmaster): readonly DayMetrics[] {
  return metricsByDay(store.reader, METRIC_DAYS);
}
