import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';

import { importBeads } from '../../apps/ringmaster/src/service/beads.ts';
import { dependencies, projects, tasks as tasksTable, workers } from '../../apps/ringmaster/src/store/schema/design.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { prepare, randomLinks } from './setup.ts';

/**
 * Workload: import a Beads file of 5,000 issues with 10,000 links into an empty database. Baseline: parse each line and
 * insert tasks and links into the design document's tables, in one durable transaction.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const text = beadsFile(quick ? 200 : 5_000);
  const ratios: number[] = [];
  const times: { ours: number; byHand: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const rm = await prepare(join(folder, `import-${round}`), 0, [], 0);
    const started = performance.now();
    await importBeads(rm, { content: text, source: 'bench' });
    const ours = performance.now() - started;
    await rm.store.close();
    const byHand = insertByHand(join(folder, `by-hand-${round}.db`), text);
    ratios.push(ours / byHand);
    times.push({ ours, byHand });
    progress(`  ours ${Math.round(ours)} ms, by hand ${Math.round(byHand)} ms`);
  }
  const time = (kind: 'ours' | 'byHand'): number => Math.round(median(times.map((one) => one[kind])));
  const baseline = `parse and insert by hand: ${time('byHand')} ms (ours ${time('ours')} ms)`;
  return [{ name: 'ringmaster.import', value: median(ratios), unit: '×', baseline, goal: 3, better: 'lower' }];
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

function insertByHand(path: string, text: string): number {
  const connection = new Connection(path);
  for (const sql of [projects, workers, tasksTable, dependencies]) connection.exec(sql);
  connection.exec(`INSERT INTO projects (id, name) VALUES ('bench', 'bench')`);
  const started = performance.now();
  const issues = text.split('\n').map((line) => JSON.parse(line) as Issue);
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
  return took;
}
