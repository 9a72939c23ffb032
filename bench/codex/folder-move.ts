import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';

import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { moveFilesBelow, putFile } from '../../apps/codex/src/store/files.ts';
import { insertNotebook } from '../../apps/codex/src/store/notebooks.ts';
import { migrations } from '../../apps/codex/src/store/schema.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { openNotebook, WAIT_MS } from './fixtures.ts';

/**
 * Workload: move a folder of 10,000 indexed files. Baseline: rename, fsync of the parent, and one UPDATE of 10,000 rows
 * in a durable transaction, without queue, intent, event and journal. Timed: from the request until the move is done.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const files = quick ? 200 : 10_000;
  const { codex, notebook } = await openNotebook(join(folder, 'move'));
  const indexed = await fill(codex, notebook, files);
  if (indexed !== files) throw new Error(`${indexed} of ${files} are indexed`);
  const hand = prepareHand(join(folder, 'hand'), files);
  const ratios: number[] = [];
  const times: { ours: number; hand: number }[] = [];
  for (let round = 0; round < (quick ? 2 : 6); round++) {
    const [from, to] = round % 2 === 0 ? ['many', 'moved/many'] : ['moved/many', 'many'];
    const started = performance.now();
    const requests = [{ type: 'move_folder', path: notebookPath(from), dest_path: notebookPath(to) }] as const;
    const [event] = await codex.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
    const ours = performance.now() - started;
    if (event?.status !== 'completed') throw new Error(event?.error_message ?? 'the move failed');
    const by = hand(from, to);
    ratios.push(ours / by);
    times.push({ ours, hand: by });
    progress(`  ours ${ours.toFixed(0)} ms, by hand ${by.toFixed(0)} ms`);
  }
  await codex.close();
  const time = (kind: 'ours' | 'hand'): string => `${median(times.map((each) => each[kind])).toFixed(0)} ms`;
  const baseline = `rename and one UPDATE of ${files} rows: ${time('hand')} (ours ${time('ours')})`;
  return [{ name: 'codex.folder_move', value: median(ratios), unit: '×', baseline, goal: 2.5, better: 'lower' }];
}

type Opened = Awaited<ReturnType<typeof openNotebook>>;

/** Creates files outside codex, then lets codex find them by comparing folder and index. */
async function fill(codex: Opened['codex'], notebook: Opened['notebook'], files: number): Promise<number> {
  for (let n = 0; n < files; n++) {
    const place = join(notebook.path, 'many', `d${n % 20}`);
    if (n < 20) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `f${n}.md`), `file ${n}`);
  }
  await codex.reconcile(notebook, WAIT_MS);
  return codex.store.reader.get<{ n: number }>('SELECT count(*) AS n FROM files')?.n ?? 0;
}

function prepareHand(folder: string, files: number): (from: string, to: string) => number {
  mkdirSync(join(folder, 'many'), { recursive: true });
  mkdirSync(join(folder, 'moved'));
  for (let n = 0; n < files; n++) writeFileSync(join(folder, 'many', `f${n}.md`), `file ${n}`);
  const connection = new Connection(join(folder, 'hand.db'));
  for (const step of migrations.steps) step.up(connection);
  connection.exec('BEGIN');
  insertNotebook(connection, 'notes', folder, '');
  for (let n = 0; n < files; n++) {
    const state = { kind: 'file', size: 9, mode: 0o644, mtime_ns: '1', ctime_ns: '1', inode: String(n) } as const;
    const path = `many/d${n % 20}/f${n}.md`;
    const file = { id: `id-${n}`, notebookId: 1, path, hash: `hash-${n}`, state, contentType: 'text/markdown' };
    putFile(connection, { ...file, eventId: 1, now: '', git: { tracked: true, reason: null } });
  }
  connection.exec('COMMIT');
  return (from, to) => {
    const started = performance.now();
    renameSync(join(folder, from), join(folder, to));
    for (const parent of [folder, join(folder, 'moved')]) {
      const fd = openSync(parent, 'r');
      fsyncSync(fd);
      closeSync(fd);
    }
    connection.exec('BEGIN IMMEDIATE');
    moveFilesBelow(connection, 1, from, to);
    connection.exec('COMMIT');
    return performance.now() - started;
  };
}
