import type { Priority } from '../model/task.ts';
import type { Store, Tx } from './open.ts';

export interface RankedNode {
  readonly id: string;
  readonly priority: Priority;
  readonly estimated_minutes: number | null;
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
  readonly links: readonly (readonly [child: string, parent: string])[];
}

const PAGE = 1_000;

/** Unfinished work and its links, of one moment, read in pages with other work let in between. */
export async function readUnfinishedGraph(store: Store): Promise<UnfinishedGraph> {
  const snapshot = store.database.snapshot();
  const tx = snapshot.connection;
  try {
    const version = Number(
      tx.get<{ value: number }>(`SELECT value FROM ringmaster_meta WHERE key = 'graph_version'`)?.value,
    );
    const nodes = await paged<RankedNode>((after) =>
      tx.all(
        `SELECT rowid AS row, id, priority, estimated_minutes, pagerank_score, betweenness_score, on_critical_path,
                combined_priority, own_priority, inherited_from
         FROM tasks WHERE rowid > ? AND status <> 'done' AND archived_at IS NULL ORDER BY rowid LIMIT ${PAGE}`,
        after,
      ),
    );
    const links = await paged<{ child_id: string; parent_id: string }>((after) =>
      tx.all(
        `SELECT rowid AS row, child_id, parent_id FROM dependencies
         WHERE rowid > ? AND type IN ('blocks', 'conditional-blocks', 'waits-for') ORDER BY rowid LIMIT ${PAGE}`,
        after,
      ),
    );
    return { version, nodes, links: links.map(({ child_id, parent_id }) => [child_id, parent_id] as const) };
  } finally {
    snapshot.release();
  }
}

async function paged<T>(read: (after: number) => readonly (T & { readonly row: number })[]): Promise<T[]> {
  const all: T[] = [];
  for (let after = -1; ;) {
    const page = read(after);
    all.push(...page);
    if (page.length < PAGE) return all;
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

export function writeScores(tx: Tx, scores: readonly NodeScores[], version: number): void {
  for (const score of scores) {
    tx.run(
      `UPDATE tasks SET pagerank_score = ?, betweenness_score = ?, on_critical_path = ?, combined_priority = ?,
         own_priority = ?, inherited_from = ?, metrics_version = ? WHERE id = ? AND metrics_version <= ?`,
      score.pagerank,
      score.betweenness,
      score.critical,
      score.combined,
      score.own,
      score.inheritedFrom,
      version,
      score.id,
      version,
    );
  }
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

/** Only the newest run is kept: it describes the scores that are there. */
export function writeRun(tx: Tx, run: MetricsRun): void {
  tx.run('DELETE FROM metrics_runs WHERE graph_version <= ?', run.graph_version);
  const names = Object.keys(run) as (keyof MetricsRun)[];
  tx.run(
    `INSERT OR IGNORE INTO metrics_runs (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...names.map((name) => run[name]),
  );
}

export function latestRun(tx: Tx): MetricsRun | undefined {
  return tx.get<MetricsRun>('SELECT * FROM metrics_runs ORDER BY graph_version DESC LIMIT 1');
}
