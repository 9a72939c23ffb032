/**
 * One of two machines that share a remote. Writes unique lines, moves and deletes files, and syncs. Logs each
 * change: "begun LINE" before it and "done LINE" after it. With "settle", only syncs. Arguments: data home, remote,
 * name, seed, log file, "write" or "settle".
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { notebookPath } from '../../../apps/codex/src/model/path.ts';
import { settingsFrom } from '../../../apps/codex/src/model/settings.ts';
import { openCodex } from '../../../apps/codex/src/service/codex.ts';
import { registerNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { addRemote, syncNotebook } from '../../../apps/codex/src/service/remotes.ts';
import type { Request } from '../../../apps/codex/src/service/requests.ts';
import { fileAt } from '../../../apps/codex/src/store/files.ts';
import { knownFilesBelow } from '../../../apps/codex/src/store/watch-index.ts';
import { allRemotes } from '../../../apps/codex/src/store/remotes.ts';
import { Tree } from '../../../apps/codex/src/adapters/tree.ts';
import { readFile } from '../../../apps/codex/src/adapters/file-content.ts';
import { Random } from '../../../packages/sqlite/test/random.ts';

const [home, remote, name, seed, toldFile, what] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const random = new Random(Number(seed));
const told = openSync(toldFile, 'a');
const CHANGES = 40;
const WAIT_MS = 60_000;

const codex = await openCodex({
  home,
  databasePath: join(home, 'codex.db'),
  settings: { ...settingsFrom({}), watch: false, sync_interval: 0, git_quiet_interval: 0.05, git_commit_interval: 0.2 },
});
const notebook = codex.notebooks()[0] ?? (await registerNotebook(codex, { name: 'notes' }));
if (allRemotes(codex.store.reader).length === 0)
  await addRemote(codex, { name: 'origin', url: remote, allow_path: true });

async function run(request: Request): Promise<boolean> {
  const [event] = await codex.run({ notebookId: notebook.id, author: name, requests: [request] }, WAIT_MS);
  return event?.status === 'completed' || event?.status === 'superseded';
}

function paths(): string[] {
  return knownFilesBelow(codex.store.reader, notebook.id, '').map(({ path }) => path);
}

/** Adds a line to a file: at the end, or in the middle. Both machines choose from the same few files. */
async function addLine(path: string, line: string): Promise<boolean> {
  const row = fileAt(codex.store.reader, notebook.id, path);
  if (row === undefined) return run({ type: 'create', path: notebookPath(path), content: Buffer.from(`${line}\n`) });
  using tree = new Tree(notebook.path);
  const { bytes, hash } = await readFile(tree, path);
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  lines.splice(random.below(lines.length), 0, line);
  return run({ type: 'update', file: { id: row.id }, content: Buffer.from(lines.join('\n')), base_hash: hash });
}

async function change(count: number): Promise<void> {
  const line = `${name}-${seed}-${count}`;
  const all = paths();
  const kind = random.next();
  if (kind < 0.15 && all.length > 0) {
    const path = random.of(all);
    const row = fileAt(codex.store.reader, notebook.id, path);
    if (row !== undefined)
      await run({ type: 'move', file: { id: row.id }, dest_path: notebookPath(`moved/${line}.md`) });
    return;
  }
  const path = kind < 0.6 || all.length === 0 ? `shared-${random.below(4)}.md` : random.of(all);
  writeSync(told, `begun ${line}\n`);
  if (await addLine(path, line)) writeSync(told, `done ${line}\n`);
}

async function write(): Promise<void> {
  for (let count = 0; count < CHANGES; count += 1) {
    await change(count).catch(refuseUnexpected);
    await new Promise((resolve) => setTimeout(resolve, random.next() * 20));
  }
}

/** Throws unexpected errors. A file may change between reading and writing; its line is then not acknowledged. */
function refuseUnexpected(error: unknown): void {
  const { code } = error as { readonly code?: string };
  const expected = [
    'FILE_NOT_FOUND',
    'FILE_CHANGED',
    'FILE_EXISTS',
    'STALE_READ',
    'SYNC_UNFINISHED',
    'GIT_UNAVAILABLE',
  ];
  if (code === undefined || !expected.includes(code)) throw error;
}

async function syncUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await syncNotebook(codex, {}).catch(refuseUnexpected);
    await new Promise((resolve) => setTimeout(resolve, random.next() * 30));
  }
}

writeSync(1, 'started\n');
if (what === 'settle') await syncNotebook(codex, {});
else {
  let isWritten = false;
  await Promise.all([write().finally(() => (isWritten = true)), syncUntil(() => isWritten)]);
  await syncNotebook(codex, {}).catch(refuseUnexpected);
}
await codex.close();
