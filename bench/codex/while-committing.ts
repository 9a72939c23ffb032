import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { fileFor, readContent } from '../../apps/codex/src/service/files.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';
import { leaveForGit, noteText, type Opened, openNotebook } from './fixtures.ts';

const FOLDERS = 50;
const PAUSE_MS = 1;

/**
 * Workload: reads of a file (record and content) and durable small writes, one after the other with a pause in between,
 * first while git is idle and then while git commits a batch of 1,000 changes. Compared: the 99th percentiles. `reads`
 * is the time from the start of a read. `reads_in_turn` counts from the time at which the read was due, including the
 * wait for other work in the process, mostly a write.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const changed = quick ? 100 : 1_000;
  const rounds = quick ? 2 : 12;
  const opened = await openNotebook(join(folder, 'while'));
  await change(opened, changed, 0);
  await opened.codex.git.flush(opened.notebook.id);
  const busy: Samples = { reads: [], reads_in_turn: [], writes: [] };
  const idle: Samples = { reads: [], reads_in_turn: [], writes: [] };
  for (let round = 1; round <= rounds; round++) {
    await change(opened, changed, round);
    await settle(opened);
    let isOver = false;
    const commit = opened.codex.git.flush(opened.notebook.id).finally(() => (isOver = true));
    const before = busy.reads.length;
    await sample(opened, busy, () => !isOver);
    await commit;
    await settle(opened);
    // Right afterwards, takes as many samples without git, because the load of other programs changes over time.
    let left = busy.reads.length - before;
    await sample(opened, idle, () => left-- > 0);
  }
  await opened.codex.close();
  const figure = (name: keyof Samples, goal: number): Figure => {
    const [quiet, loud] = [quantile(idle[name], 0.99), quantile(busy[name], 0.99)];
    const baseline = `p99 without git: ${quiet.toFixed(2)} ms (while it commits ${loud.toFixed(2)} ms, ${busy[name].length} each)`;
    return { name: `codex.while_committing.${name}`, value: loud / quiet, unit: '×', baseline, goal, better: 'lower' };
  };
  progress(`  ${busy.reads.length} reads and ${busy.writes.length} writes while git committed`);
  // `reads_in_turn` has the same goal as `writes`, because such a read may wait for a write.
  return [figure('reads', 2), figure('reads_in_turn', 5), figure('writes', 5)];
}

interface Samples {
  readonly reads: number[];
  readonly reads_in_turn: number[];
  readonly writes: number[];
}

let made = 0;

async function sample({ codex, notebook }: Opened, into: Samples, goesOn: () => boolean): Promise<void> {
  const path = notebookPath('folder-1/file-0.md');
  while (goesOn()) {
    const due = performance.now() + PAUSE_MS;
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
    const reading = performance.now();
    await fileFor(codex, notebook, path);
    await readContent(notebook, path);
    const writing = performance.now();
    into.reads.push(writing - reading);
    into.reads_in_turn.push(writing - due);
    made += 1;
    const requests = [{ type: 'create', path: notebookPath(`new/${made}.md`), content: noteText(made) }] as const;
    await codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
    into.writes.push(performance.now() - writing);
  }
}

async function change({ codex, notebook }: Opened, count: number, version: number): Promise<void> {
  const files = Array.from({ length: count }, (_, n) => {
    const path = `folder-${n % FOLDERS}/file-${Math.floor(n / FOLDERS)}.md`;
    return [path, `version ${version}\n${noteText(n).toString()}`] as const;
  });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(notebook.path, path)), { recursive: true });
    writeFileSync(join(notebook.path, path), text);
  }
  await leaveForGit(codex.store, notebook.id, notebook.path, files);
}

/** Waits until the queue is empty. */
async function settle({ codex }: Opened): Promise<void> {
  const left = (): unknown =>
    codex.store.reader.get("SELECT 1 FROM file_events WHERE status IN ('pending', 'processing') LIMIT 1");
  while (left() !== undefined) await new Promise((wake) => setTimeout(wake, 10));
}
