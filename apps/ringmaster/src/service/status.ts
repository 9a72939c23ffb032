import { graphVersion } from '../store/meta.ts';
import { latestRun } from '../store/metrics.ts';
import { countBy } from '../store/ready.ts';
import { listBackups } from './backup.ts';
import type { Ringmaster } from './ringmaster.ts';

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
}

export function statusOf(rm: Ringmaster, project: string | undefined): Status {
  const tx = rm.store.reader;
  const count = (sql: string): number => tx.get<{ n: number }>(sql)?.n ?? 0;
  const open = (type: string): number =>
    count(`SELECT count(*) AS n FROM inquiries i JOIN tasks t ON t.id = i.task_id
           WHERE i.answered_at IS NULL AND t.type = '${type}'`);
  const workers = tx.all<{ status: string; n: number }>('SELECT status, count(*) AS n FROM workers GROUP BY 1');
  const backup = listBackups(rm).at(-1)?.at;
  return {
    tasks: countBy(tx, 'status', project),
    ready: count(`SELECT count(*) AS n FROM ready_tasks WHERE type IN ('task', 'subtask')`),
    running: count('SELECT count(*) AS n FROM attempts WHERE ended_at IS NULL'),
    workers: Object.fromEntries(workers.map(({ status, n }) => [status, n])),
    open_decisions: open('decision'),
    open_questions: open('question'),
    unresolved_links: count('SELECT count(*) AS n FROM unresolved_dependencies'),
    ranks_are_current: latestRun(tx)?.graph_version === graphVersion(tx),
    last_backup: backup === undefined ? null : new Date(backup).toISOString(),
    revision: rm.store.database.revision(),
  };
}
