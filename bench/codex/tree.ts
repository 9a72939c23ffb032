import { join } from 'node:path';

import { insertNotebook } from '../../apps/codex/src/store/notebooks.ts';
import { openStore, type Transaction } from '../../apps/codex/src/store/open.ts';
import { hasChildren, listChildren } from '../../apps/codex/src/store/folders.ts';
import { type Context, type Figure, compare } from '../lib/harness.ts';
import { fillFiles } from './fixtures.ts';

const SHOWN = 200;
/**
 * Files of the small notebook: one per folder, so that its first page looks like the first page of the large notebook.
 */
const SMALL = 1_000;

/**
 * Workload: the first page of a notebook's tree (a hundred folders with ten subfolders each) and the first page of one
 * of these folders. Ours: 100,000 files. Baseline: the same pages with one file per folder.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const files = quick ? 5_000 : 100_000;
  const store = await openStore({ path: join(folder, 'tree.db') });
  const large = await store.write('notebook', (tx) => insertNotebook(tx, 'large', join(folder, 'a'), ''));
  await fillFiles(store, large.id, files, () => undefined);
  const other = await openStore({ path: join(folder, 'small.db') });
  const small = await other.write('notebook', (tx) => insertNotebook(tx, 'small', join(folder, 'b'), ''));
  await fillFiles(other, small.id, SMALL, () => undefined);
  const rows = { large: open(store.reader, large.id), small: open(other.reader, small.id) };
  if (rows.large !== rows.small) throw new Error(`${rows.large} rows, but ${rows.small} in the small notebook`);
  const compared = await compare({
    operations: 5,
    rounds: quick ? 3 : 60,
    warmUpRounds: 3,
    ours: () => open(store.reader, large.id),
    baseline: () => open(other.reader, small.id),
  });
  await store.close();
  await other.close();
  progress(`  ${files} files ${time(compared.oursMicros)}, ${SMALL} files ${time(compared.baselineMicros)}`);
  const baseline = `the same ${rows.large} rows of ${SMALL} files: ${time(compared.baselineMicros)} (of ${files}: ${time(compared.oursMicros)})`;
  return [{ name: 'codex.tree', value: compared.ratio, unit: '×', baseline, goal: 2, better: 'lower' }];
}

function open(tx: Transaction, notebookId: number): number {
  let rows = 0;
  for (const folder of ['', 'f50']) {
    const children = listChildren(tx, notebookId, folder, { kind: 'folder', after: '' }, SHOWN);
    for (const { kind, path } of children) if (kind === 'folder') hasChildren(tx, notebookId, path);
    rows += children.length;
  }
  return rows;
}

function time(micros: number): string {
  return `${(micros / 1_000).toFixed(2)} ms`;
}
