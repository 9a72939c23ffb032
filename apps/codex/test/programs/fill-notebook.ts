/**
 * Works in a notebook on a full disk, then frees space, then mounts another disk inside. Prints the results as JSON.
 * Arguments: data home, notebook folder on a small file system.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';

import { notebookPath } from '../../src/model/path.ts';
import { settingsFrom } from '../../src/model/settings.ts';
import { openCodex } from '../../src/service/codex.ts';
import { addNotebook } from '../../src/service/notebooks.ts';
import { findEvent } from '../../src/store/events.ts';
import { treeOf } from '../tree-of.ts';

const [home, folder] = process.argv.slice(2) as [string, string];
const WAIT_MS = 60_000;
/** More attempts than other failures get, to show that a full disk is retried without limit. */
const TRIES = 5;
const filler = join(folder, 'filler.tmp');
const settings = { ...settingsFrom({}), watch: false, retry_backoff: 0.02, retry_backoff_max: 0.05 };
const codex = await openCodex({ home, databasePath: join(home, 'codex.db'), settings });
const notebook = await addNotebook(codex, { name: 'small', path: folder });
const create = (path: string, content: string) =>
  ({
    notebookId: notebook.id,
    author: 'Ada',
    requests: [{ type: 'create', path: notebookPath(path), content: Buffer.from(content) }],
  }) as const;
await codex.run(create('a.md', 'before'), WAIT_MS);
await codex.git.flush(notebook.id);

const file = openSync(filler, 'a', 0o600);
for (const size of [65_536, 4_096, 512, 1]) {
  try {
    for (;;) writeSync(file, Buffer.alloc(size, 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
closeSync(file);

const refused = await codex.publish(create('long.md', 'x'.repeat(100_000))).then(
  () => 'taken',
  (error: unknown) => (isHoldfastError(error) ? `${error.code} ${error.kind}` : String(error)),
);
const { events } = await codex.publish(create('short.md', 'meanwhile'));
const id = events[0]?.id ?? 0;
const deadline = performance.now() + WAIT_MS;
while ((findEvent(codex.store.reader, id)?.retry_count ?? 0) < TRIES) {
  if (performance.now() > deadline) throw new Error('it is not tried again');
  await new Promise((resolve) => setTimeout(resolve, 10));
}
const whileFull = findEvent(codex.store.reader, id);
const { [`filler.tmp`]: _filler, ...treeWhileFull } = treeOf(folder);

rmSync(filler);
const done = await codex.wait(id, WAIT_MS);
const sent = await codex.run(create('long.md', 'x'.repeat(100_000)), WAIT_MS);
const commit = await codex.git.flush(notebook.id);
const left = readdirSync(join(folder, '.codex/tmp'));
mkdirSync(join(folder, 'inner'));
execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(folder, 'inner')]);
const inner = await codex.publish(create('inner/b.md', 'on another disk'));
const onOther = await codex.wait(inner.events[0]?.id ?? 0, WAIT_MS);
await codex.close();
const { 'long.md': long, ...tree } = treeOf(folder);
console.log(
  JSON.stringify({
    refused,
    errorCode: whileFull?.error_code,
    treeWhileFull,
    status: done?.event.status,
    sent: sent[0]?.status,
    long: long?.length,
    tree,
    isCommitted: commit !== null,
    left,
    onOtherDisk: onOther?.event.error_code,
  }),
);
