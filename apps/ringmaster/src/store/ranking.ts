import type { RowImage } from '@holdfast/sqlite';

import type { Priority } from '../model/task.ts';
import { graphVersion } from './meta.ts';
import { insertRow, type Store, type Tx } from './open.ts';

export interface RankedNode {
  readonly id: string;
  readonly priority: Priority;
  readonly estimated_minutes: number | null;
  readonly status: string;
  readonly ready_at: string | null;
  readonly pagerank_score: number;
  readonly betweenness_score: number;
  readonly on_critical_path: number;
  readonly combined_priority: number;
  readonly own_priority: number;
  readonly inherited_from: string | null;
}

export interface UnfinishedGraph {
  readonly version: number;
  readonly nodes: readonly RankedNode[];
  /** Link i means that node `from[i]` waits for node `to[i]`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/**
 * Rows per page. Reading a page takes a fraction of the time that a claim takes, and a claim waits for at most one
 * page.
 */
const PAGE = 50;

/** Reads unfinished tasks and links from one snapshot in pages, and yields to the event loop after each page. */
export async function readUnfinishedGraph(store: Store): Promise<UnfinishedGraph> {
  const snapshot = store.database.snapshot();
  const tx = snapshot.connection;
  try {
    const version = graphVersion(tx);
    const nodes: RankedNode[] = [];
    const indexById = new Map<string, number>();
    await paged(
      (after) =>
        tx.all<RankedNode & Paged>(
          `SELECT rowid AS row, id, priority, estimated_minutes, status, ready_at, pagerank_score, betweenness_score,
                  on_critical_path, combined_priority, own_priority, inherited_from
           FROM tasks WHERE rowid > ? AND status <> 'done' AND archived_at IS NULL ORDER BY rowid LIMIT ${PAGE}`,
          after,
        ),
      (node) => indexById.set(node.id, nodes.push(node) - 1),
    );
    const from: number[] = [];
    const to: number[] = [];
    await paged(
      (after) =>
        tx.all<{ child_id: string; parent_id: string } & Paged>(
          `SELECT rowid AS row, child_id, parent_id FROM dependencies
           WHERE rowid > ? AND type IN ('blocks', 'conditional-blocks', 'waits-for') ORDER BY rowid LIMIT ${PAGE}`,
          after,
        ),
      ({ child_id, parent_id }) => {
        const [child, parent] = [indexById.get(child_id), indexById.get(parent_id)];
        if (child === undefined || parent === undefined) return;
        from.push(child);
        to.push(parent);
      },
    );
    return { version, nodes, from: Int32Array.from(from), to: Int32Array.from(to) };
  } finally {
    snapshot.release();
  }
}

interface Paged {
  readonly row: number;
}

async function paged<T extends Paged>(
  read: (after: number) => readonly T[],
  take: (entry: T) => unknown,
): Promise<void> {
  for (let after = -1; ;) {
    const page = read(after);
    for (const entry of page) take(entry);
    if (page.length < PAGE) return;
    after = page.at(-1)?.row ?? after;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export interface NodeScores {
  readonly id: string;
  readonly pagerank: number;
  readonly betweenness: number;
  readonly critical: number;
  readonly combined: number;
  readonly own: number;
  readonly inheritedFrom: string | null;
}

/**
 * Writes scores, but does not overwrite the scores of a newer run. Returns the changed rows as they were before and
 * after.
 */
export function writeScores(tx: Tx, scores: readonly NodeScores[], version: number): RowImage[] {
  return scores.flatMap((score) => {
    const before = tx.get('SELECT * FROM tasks WHERE id = ?', score.id);
    const after = tx.get(
      `UPDATE tasks SET pagerank_score = ?, betweenness_score = ?, on_critical_path = ?, combined_priority = ?,
         own_priority = ?, inherited_from = ?, metrics_version = ?7 WHERE id = ?8 AND metrics_version <= ?7 RETURNING *`,
      score.pagerank,
      score.betweenness,
      score.critical,
      score.combined,
      score.own,
      score.inheritedFrom,
      version,
      score.id,
    );
    return after === undefined ? [] : [{ table: 'tasks', key: 'id', before, after }];
  });
}

export interface MetricsRun {
  readonly graph_version: number;
  readonly computed_at: string;
  readonly duration_ms: number;
  readonly tasks: number;
  readonly links: number;
  readonly is_approximate: number;
  readonly sampled_tasks: number;
  readonly pagerank_max: number;
  readonly betweenness_max: number;
  readonly weights: string;
}

/** Keeps only the newest run, which describes the stored scores. */
export function writeRun(tx: Tx, run: MetricsRun): void {
  tx.run('DELETE FROM metrics_runs WHERE graph_version <= ?', run.graph_version);
  insertRow(tx, 'metrics_runs', run, 'ON CONFLICT DO NOTHING');
}

export function latestRun(tx: Tx): MetricsRun | undefined {
  return tx.get<MetricsRun>('SELECT * FROM metrics_runs ORDER BY graph_version DESC LIMIT 1');
}
