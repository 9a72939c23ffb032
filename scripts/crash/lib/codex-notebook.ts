import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { settingsFrom } from '../../../apps/codex/src/model/settings.ts';
import { type Codex, openCodex } from '../../../apps/codex/src/service/codex.ts';
import { busyNotebooks } from '../../../apps/codex/src/store/events.ts';
import { notebookOf } from '../../../apps/codex/src/store/notebooks.ts';
import { type Counts, violate } from './campaign.ts';
import { type Scenario, seedTree, type Tree } from './codex-scenarios.ts';

export const NOTEBOOK = 1;
const WAIT_MS = 60_000;
const FSCK_EVERY = 10;

/** Opens without a watcher: the scenario reports outside changes itself, so that every run is the same. */
export async function openWork(home: string): Promise<Codex> {
  const settings = {
    ...settingsFrom({}),
    watch: false,
    retry_backoff: 0.01,
    git_quiet_interval: 30,
    git_commit_interval: 60,
  };
  return openCodex({ home, databasePath: join(home, 'codex.db'), settings });
}

export function folderOf(home: string): string {
  return join(home, 'notebooks', 'notes');
}

/** Waits until the queue is empty and git has committed everything. */
export async function settle(codex: Codex): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (busyNotebooks(codex.store.reader).length > 0) {
    if (performance.now() > deadline) throw new Error('the queue did not become empty');
    codex.lanes.wake(NOTEBOOK);
    await new Promise((wake) => setTimeout(wake, 5));
  }
  await codex.git.flush(NOTEBOOK);
}

export function treeOf(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.git' || path === '.codex') continue;
    if (statSync(join(root, path)).isDirectory()) Object.assign(found, treeOf(root, path));
    else found[path] = readFileSync(join(root, path), 'utf8');
  }
  return found;
}

/** Finishes pending work and compares the folder, index, events and git with what was acknowledged. */
export async function check(home: string, scenario: Scenario, isAcknowledged: boolean, counts: Counts): Promise<void> {
  const codex = await openWork(home);
  try {
    const { reader } = codex.store;
    // Codex must find the changes that another program made before the request.
    await codex.reconcile(notebookOf(reader, NOTEBOOK), WAIT_MS);
    await settle(codex);
    const folder = folderOf(home);
    const disk = treeOf(folder);
    const isAtEnd = same(disk, scenario.end);
    const isAtStart = same(disk, scenario.start ?? seedTree);
    if (isAcknowledged && !isAtEnd) violate(counts, 'lost', `${scenario.name}: ${describe(disk)}`);
    else if (!isAtEnd && !isAtStart) violate(counts, 'partial', `${scenario.name}: ${describe(disk)}`);
    checkIndex(codex, disk, scenario, counts);
    checkEvents(codex, scenario, isAcknowledged, counts);
    await checkGit(folder, disk, scenario, counts);
    checkLeftovers(codex, folder, scenario, counts);
  } finally {
    await codex.close();
  }
}

function checkIndex(codex: Codex, disk: Tree, { name }: Scenario, counts: Counts): void {
  const { reader } = codex.store;
  const rows = reader.all<{ path: string; hash: string }>(
    'SELECT path, hash FROM files WHERE deleted_by IS NULL ORDER BY path',
  );
  const index = Object.fromEntries(rows.map(({ path, hash }) => [path, hash]));
  const hashes = Object.fromEntries(Object.entries(disk).map(([path, text]) => [path, sha256(text)]));
  if (!same(index, hashes)) violate(counts, 'partial', `${name}: index ${describe(index)}, disk ${describe(hashes)}`);
  const folders = reader.all<{ path: string }>('SELECT path FROM folders WHERE deleted_by IS NULL ORDER BY path');
  for (const { path } of folders) {
    if (!existsSync(join(folderOf(join(codex.store.path, '..')), path))) {
      violate(counts, 'phantom', `${name}: the index has the folder ${path}`);
    }
  }
}

function checkEvents(codex: Codex, { name, refused }: Scenario, isAcknowledged: boolean, counts: Counts): void {
  const odd = codex.store.reader.all<{ id: number; status: string; code: string; error_message: string }>(
    `SELECT id, status, error_code AS code, error_message FROM file_events
       WHERE status NOT IN ('completed', 'superseded')`,
  );
  for (const { id, status, code, error_message } of odd) {
    if (status === 'failed' && code === refused) continue;
    violate(counts, 'partial', `${name}: event ${id} is ${status}: ${error_message}`);
  }
  if (refused !== undefined && isAcknowledged && odd.length !== 1) {
    violate(counts, 'lost', `${name}: ${odd.length} operations say ${refused}, not one`);
  }
}

async function checkGit(folder: string, disk: Tree, { name }: Scenario, counts: Counts): Promise<void> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder, encoding: 'utf8' })).stdout;
  const files = await git('ls-tree', '-r', '-z', '--format=%(objectname) %(path)', 'HEAD');
  const listed = files.split('\0').filter(Boolean);
  const head = Object.fromEntries(
    listed.map((line) => [line.slice(line.indexOf(' ') + 1), line.split(' ', 1)[0] ?? '']),
  );
  const wanted = Object.fromEntries(Object.entries(disk).map(([path, text]) => [path, objectName(text)]));
  if (!same(head, wanted)) violate(counts, 'partial', `${name}: HEAD ${describe(head)}, disk ${describe(wanted)}`);
  const status = (await git('status', '--porcelain')).trim();
  if (status !== '') violate(counts, 'partial', `${name}: git status says ${status}`);
  if (counts.cycles % FSCK_EVERY === 0) await git('fsck', '--strict');
}

/** Returns git's object name for this text. */
function objectName(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

function checkLeftovers(codex: Codex, folder: string, { name }: Scenario, counts: Counts): void {
  const { reader } = codex.store;
  for (const table of ['intents', 'git_pending', 'link_rewrites'] as const) {
    const left = reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
    if (left > 0) violate(counts, 'partial', `${name}: ${left} rows are left in ${table}`);
  }
  // Ignores staged content of a killed process, which codex removes later, based on its age.
  const left = readdirSync(join(folder, '.codex/tmp')).filter((file) => !file.startsWith('stage-'));
  if (left.length > 0) violate(counts, 'phantom', `${name}: .codex/tmp has ${left.join()}`);
}

function same(left: Tree, right: Tree): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

function describe(tree: Tree): string {
  return Object.entries(tree)
    .map(([name, text]) => `${name}=${text.slice(0, 12)}`)
    .join(' ');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
