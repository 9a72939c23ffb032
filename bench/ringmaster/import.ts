import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SECOND } from '@holdfast/base';
import { Connection } from '@holdfast/sqlite';

import { dependencies, projects, tasks as tasksTable, workers } from '../../apps/ringmaster/src/store/schema/design.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { runRingmaster } from '../lib/peak-memory.ts';
import { prepare, randomLinks } from './setup.ts';

/**
 * Workload: the built `ringmaster import` of a Beads file with 100,000 issues and 200,000 links into an empty database,
 * then `ringmaster export`. Baseline: parse each line and insert tasks and links into the tables that ringmaster's
 * design document specifies, in one durable transaction. Measured: the time of the whole process, and its peak memory.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const file = join(folder, 'issues.jsonl');
  writeFileSync(file, beadsFile(quick ? 200 : 100_000));
  const rounds: { readonly byHand: number; readonly imported: Measured; readonly exported: Measured }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const root = join(folder, `import-${round}`);
    await (await prepare(root, 0, [], 0)).store.close();
    const imported = await runRingmaster(root, ['import', '--from-beads', file]);
    const exported = await runRingmaster(root, ['export', '--to-beads', join(folder, 'exported.jsonl')]);
    const byHand = insertByHand(join(folder, `by-hand-${round}.db`), file);
    rounds.push({ byHand, imported, exported });
    progress(`  import ${describe(imported)}, export ${describe(exported)}, by hand ${byHand.toFixed(1)} s`);
  }
  const figures = (name: string, measured: (round: (typeof rounds)[number]) => Measured): readonly Figure[] => {
    const value = median(rounds.map((round) => measured(round).seconds / round.byHand));
    const peak = Math.max(...rounds.map((round) => measured(round).peakBytes));
    const byHand = median(rounds.map((round) => round.byHand));
    const ours = median(rounds.map((round) => measured(round).seconds));
    const baseline = `parse and insert by hand: ${byHand.toFixed(1)} s (ours ${ours.toFixed(1)} s)`;
    return [
      { name, value, unit: '×', baseline, goal: 3, better: 'lower' },
      { name: `${name}.memory`, value: peak / MEGABYTE, unit: 'MB', baseline: 'none', goal: 250, better: 'lower' },
    ];
  };
  return [
    ...figures('ringmaster.import', ({ imported }) => imported),
    ...figures('ringmaster.export', ({ exported }) => exported),
  ];
}

const MEGABYTE = 1_000_000;

type Measured = Awaited<ReturnType<typeof runRingmaster>>;

function describe({ seconds, peakBytes }: Measured): string {
  return `${seconds.toFixed(1)} s and ${Math.round(peakBytes / MEGABYTE)} MB`;
}

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly priority: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly dependencies?: readonly { readonly depends_on_id: string }[];
}

function beadsFile(count: number): string {
  const linksOf = new Map<number, { issue_id: string; depends_on_id: string; type: string; created_by: string }[]>();
  for (const [child, parent] of randomLinks(count, count * 2)) {
    const link = { issue_id: `bd-${child}`, depends_on_id: `bd-${parent}`, type: 'blocks', created_by: 'bench' };
    linksOf.set(child, [...(linksOf.get(child) ?? []), link]);
  }
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      id: `bd-${n}`,
      title: `Issue ${n}`,
      description: `Something has to be done about ${n}. `.repeat(10),
      status: 'open',
      priority: n % 5,
      issue_type: 'task',
      created_at: '2026-01-01T00:00:00.123456-07:00',
      updated_at: '2026-01-02T00:00:00.123456-07:00',
      ...(linksOf.has(n) ? { dependencies: linksOf.get(n) } : {}),
    }),
  ).join('\n');
}

/** Returns the time in seconds. */
function insertByHand(path: string, file: string): number {
  const connection = new Connection(path);
  for (const sql of [projects, workers, tasksTable, dependencies]) connection.exec(sql);
  connection.exec(`INSERT INTO projects (id, name) VALUES ('bench', 'bench')`);
  const started = performance.now();
  const issues = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Issue);
  connection.exec('BEGIN IMMEDIATE');
  for (const { id, title, description, priority, created_at, updated_at } of issues) {
    connection.run(
      `INSERT INTO tasks (id, project_id, type, title, description, priority, status, created_at, updated_at)
       VALUES (?, 'bench', 'task', ?, ?, ?, 'ready', ?, ?)`,
      id,
      title,
      description,
      `P${priority}`,
      created_at,
      updated_at,
    );
  }
  for (const { id, dependencies: links = [] } of issues) {
    for (const { depends_on_id } of links) {
      connection.run('INSERT OR IGNORE INTO dependencies (child_id, parent_id) VALUES (?, ?)', id, depends_on_id);
    }
  }
  connection.exec('COMMIT');
  const took = performance.now() - started;
  connection.close();
  return took / SECOND;
}
