import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Random } from '../../../packages/sqlite/test/random.ts';
import type { FileEvent } from '../src/model/event.ts';
import type { Notebook } from '../src/model/notebook.ts';
import { conflictPath, isBelow, movedPath, type NotebookPath } from '../src/model/path.ts';
import type { Codex } from '../src/service/codex.ts';
import type { Request } from '../src/service/requests.ts';
import { noteDump, noteProblems } from './note-dump.ts';
import { treeOf } from './tree-of.ts';

/**
 * Runs random operations, through the queue and directly on disk, and compares the result with a simple model: one map
 * from path to text for the disk, and one for the index. Moves leave links unchanged, because updating links has its
 * own tests. At the end, folder, index, model and git must agree.
 */
export interface ModelRun {
  readonly codex: Codex;
  readonly notebook: Notebook;
  readonly seed: number;
  readonly operations: number;
  readonly onProgress?: (done: number) => void;
}

const NAMES = ['a', 'b', 'c', 'd', 'e.md', 'f.md'] as const;
const WAIT_MS = 120_000;
/** Fraction of operations made directly on disk. */
const BY_HAND = 0.25;
const AT_ONCE = 0.06;
const AT_ONCE_MAX = 16;
/**
 * Paths of concurrent requests. No other operation creates folders with these names, so pending operations cannot make
 * a request impossible.
 */
const BUSY = ['q1.md', 'q2.md', 'a/q3.md', 'b/c/q4.md'] as const;
const AUTHORS = ['Ada', 'Ada', 'Ada', 'Bob'] as const;

class Model {
  readonly disk = new Map<string, string>();
  /** The indexed files: path to text. */
  known = new Map<string, string>();
  readonly trash = new Map<number, ReadonlyMap<string, string>>();

  isFolder(path: string): boolean {
    return [...this.disk.keys()].some((each) => isBelow(each, path));
  }

  isTaken(path: string): boolean {
    return this.disk.has(path) || this.isFolder(path) || this.hasFileAbove(path);
  }

  hasFileAbove(path: string): boolean {
    return [...this.disk.keys()].some((each) => isBelow(path, each));
  }
}

export async function runModel(run: ModelRun): Promise<readonly string[]> {
  const random = new Random(run.seed);
  const model = new Model();
  const problems: string[] = [];
  for (let done = 0; done < run.operations && problems.length === 0; done++) {
    if (random.next() < BY_HAND) {
      byHand(run, model, random);
      // Sometimes leaves the change to a later reconcile.
      if (random.next() < 0.7) await reconcile(run, model);
    } else if (random.next() < AT_ONCE) await atOnce(run, model, random, problems);
    else await throughQueue(run, model, random, problems);
    if (done % 500 === 0) run.onProgress?.(done);
  }
  if (problems.length > 0) return problems;
  await reconcile(run, model);
  await run.codex.git.flush(run.notebook.id);
  compare(run, model, problems);
  await compareIndex(run, problems);
  return problems;
}

function somePath(random: Random): NotebookPath {
  const depth = 1 + random.below(3);
  return Array.from({ length: depth }, () => random.of(NAMES)).join('/') as NotebookPath;
}

function someFile(model: Map<string, string>, random: Random): NotebookPath | undefined {
  const paths = [...model.keys()];
  return paths.length === 0 ? undefined : (random.of(paths) as NotebookPath);
}

function byHand({ notebook }: ModelRun, model: Model, random: Random): void {
  const at = (path: string): string => join(notebook.path, path);
  const file = someFile(model.disk, random);
  const kind = random.below(4);
  const path = somePath(random);
  if (kind === 0 && !model.isTaken(path)) {
    const text = `by hand ${random.below(1_000)} #hand`;
    mkdirSync(dirname(at(path)), { recursive: true });
    // A deleted file may have left an empty folder.
    rmSync(at(path), { recursive: true, force: true });
    writeFileSync(at(path), text);
    model.disk.set(path, text);
  } else if (kind === 1 && file !== undefined) {
    appendFileSync(at(file), '+');
    model.disk.set(file, `${model.disk.get(file) ?? ''}+`);
  } else if (kind === 2 && file !== undefined) {
    rmSync(at(file));
    model.disk.delete(file);
  } else if (kind === 3 && file !== undefined && !model.isTaken(path) && !existsSync(at(path))) {
    mkdirSync(dirname(at(path)), { recursive: true });
    renameSync(at(file), at(path));
    model.disk.set(path, model.disk.get(file) ?? '');
    model.disk.delete(file);
  }
}

async function reconcile({ codex, notebook }: ModelRun, model: Model): Promise<void> {
  await codex.reconcile(notebook, WAIT_MS);
  model.known = new Map(model.disk);
}

async function ask({ codex, notebook }: ModelRun, request: Request): Promise<FileEvent | string> {
  try {
    const [event] = await codex.run({ notebookId: notebook.id, author: 'Ada', requests: [request] }, WAIT_MS);
    return event ?? 'no event';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Generates text with everything that the index reads: properties, tags and links. */
function someText(random: Random): string {
  const number = random.below(1_000);
  if (random.next() < 0.1) return 'long '.repeat(2_000) + number;
  const front = number % 3 === 0 ? `---\nkey: ${number % 5}\ntags: [t${number % 4}]\n---\n` : '';
  return `${front}text ${number} #t${number % 7} [[e]] [f](../b/f.md)`;
}

async function throughQueue(run: ModelRun, model: Model, random: Random, problems: string[]): Promise<void> {
  const path = somePath(random);
  const file = someFile(model.known, random);
  const kind = random.below(6);
  const text = someText(random);
  if (kind <= 1) return create(run, model, path, text, problems);
  if (file === undefined) return;
  if (kind === 2) return update(run, model, file, text, problems);
  if (kind === 3) return move(run, model, file, path, problems);
  if (kind === 4) return remove(run, model, file, problems);
  const folder = file.split('/').slice(0, -1).join('/') as NotebookPath;
  if (folder === '') return undo(run, model, random, problems);
  return random.next() < 0.7
    ? moveFolder(run, model, folder, path, problems)
    : removeFolder(run, model, folder, problems);
}

/**
 * Publishes several operations without waiting between them. The queue folds and groups them, but the result must be
 * the same as if they ran one by one.
 */
async function atOnce(run: ModelRun, model: Model, random: Random, problems: string[]): Promise<void> {
  const { codex, notebook } = run;
  // Codex must know all changes on disk before it gets requests. Other tests cover unknown changes.
  if (!isDeepStrictEqual(model.known, model.disk)) await reconcile(run, model);
  const asked: { readonly id: number; readonly what: string }[] = [];
  for (let left = 2 + random.below(AT_ONCE_MAX); left > 0; left--) {
    const request = possibleNow(model, random);
    if (request === undefined) continue;
    const what = JSON.stringify({ ...request, content: undefined });
    try {
      const author = random.of(AUTHORS);
      const { events } = await codex.publish({ notebookId: notebook.id, author, requests: [request] });
      asked.push(...events.map(({ id }) => ({ id, what })));
    } catch (error) {
      problems.push(`at once ${what}: refused, ${String(error)}`);
    }
  }
  for (const { id, what } of asked) {
    const event = (await codex.wait(id, WAIT_MS))?.event;
    if (event?.status === 'completed' || event?.status === 'superseded') continue;
    problems.push(`at once ${what}: ${event?.status} ${event?.error_message ?? ''}`);
  }
}

/** Returns a request that succeeds if all earlier ones did, and applies it to the model. */
function possibleNow(model: Model, random: Random): Request | undefined {
  const path = random.of(BUSY) as NotebookPath;
  const dest = random.of(BUSY) as NotebookPath;
  const text = someText(random);
  const kind = random.below(6);
  const old = model.disk.get(path);
  const file = { path };
  const put = (at: string, content: string | undefined): void => {
    for (const side of [model.disk, model.known]) {
      if (content === undefined) side.delete(at);
      else side.set(at, content);
    }
  };
  if (old === undefined) {
    if (model.isTaken(path)) return undefined;
    put(path, text);
    return { type: 'create', path, content: Buffer.from(text) };
  }
  if (kind === 0) {
    put(path, undefined);
    return { type: 'delete', file };
  }
  if (kind === 1 && !model.isTaken(dest)) {
    put(path, undefined);
    put(dest, old);
    return { type: 'move', file, dest_path: dest, links: 'keep' };
  }
  put(path, text);
  return { type: 'update', file, content: Buffer.from(text) };
}

function expectStatus(
  got: FileEvent | string,
  isPossible: boolean,
  what: string,
  problems: string[],
): got is FileEvent {
  const isDone = typeof got !== 'string' && got.status === 'completed';
  if (isDone === isPossible) return isDone;
  const reason = typeof got === 'string' ? got : `${got.status} ${got.error_message ?? ''}`;
  problems.push(`${what}: expected ${isPossible ? 'success' : 'failure'}, got ${reason}`);
  return false;
}

async function create(
  run: ModelRun,
  model: Model,
  path: NotebookPath,
  text: string,
  problems: string[],
): Promise<void> {
  const isSame = model.disk.get(path) === text && !model.known.has(path);
  // Empty folders (on disk or in the index) and files that the index has not seen block the path too.
  const place = join(run.notebook.path, path);
  const isTaken = (existsSync(place) && !isSame) || model.known.has(path) || isKnownFolder(run, path);
  const isInTheWay = blocked(run, model, path) || isTaken;
  const got = await ask(run, { type: 'create', path, content: Buffer.from(text) });
  if (!expectStatus(got, !isInTheWay, `create ${path}`, problems)) return;
  model.disk.set(path, text);
  model.known.set(path, text);
}

async function update(
  run: ModelRun,
  model: Model,
  file: NotebookPath,
  text: string,
  problems: string[],
): Promise<void> {
  const onDisk = model.disk.get(file);
  const isPossible = onDisk !== undefined || !blocked(run, model, file);
  const isFolderNow = onDisk === undefined && existsSync(join(run.notebook.path, file));
  const got = await ask(run, { type: 'update', file: { path: file }, content: Buffer.from(text) });
  if (!expectStatus(got, isPossible && !isFolderNow, `update ${file}`, problems)) return;
  if (onDisk !== undefined && onDisk !== model.known.get(file) && onDisk !== text) {
    const beside = conflictPath(file, got.id);
    model.disk.set(beside, onDisk);
    model.known.set(beside, onDisk);
  }
  model.disk.set(file, text);
  model.known.set(file, text);
}

/**
 * Returns whether a file is where a folder is needed, or a folder is where a file is needed, on disk or in the index.
 */
function blocked(_run: ModelRun, model: Model, path: string): boolean {
  const isAbove = (each: string): boolean => isBelow(path, each);
  const isInside = (each: string): boolean => isBelow(each, path);
  return [...model.disk.keys(), ...model.known.keys()].some((each) => isAbove(each) || isInside(each));
}

async function move(
  run: ModelRun,
  model: Model,
  file: NotebookPath,
  dest: NotebookPath,
  problems: string[],
): Promise<void> {
  const isFree = !blocked(run, model, dest) && !existsSync(join(run.notebook.path, dest)) && !model.known.has(dest);
  const isFolder = [...model.known.keys()].some((each) => isBelow(each, dest)) || isKnownFolder(run, dest);
  const isPossible = file === dest || (model.disk.has(file) && isFree && !isFolder);
  const got = await ask(run, { type: 'move', file: { path: file }, dest_path: dest, links: 'keep' });
  if (!expectStatus(got, isPossible, `move ${file} ${dest}`, problems) || file === dest) return;
  model.disk.set(dest, model.disk.get(file) ?? '');
  model.disk.delete(file);
  // A move changes only the path in the index, not the indexed content.
  model.known.set(dest, model.known.get(file) ?? '');
  model.known.delete(file);
}

function isKnownFolder({ codex, notebook }: ModelRun, path: string): boolean {
  const { reader } = codex.store;
  return (
    reader.get('SELECT 1 FROM folders WHERE notebook_id = ? AND path = ? AND deleted_by IS NULL', notebook.id, path) !==
    undefined
  );
}

async function remove(run: ModelRun, model: Model, file: NotebookPath, problems: string[]): Promise<void> {
  const got = await ask(run, { type: 'delete', file: { path: file } });
  const isFolderNow = !model.disk.has(file) && existsSync(join(run.notebook.path, file));
  if (isFolderNow || !expectStatus(got, true, `delete ${file}`, problems)) {
    await reconcile(run, model);
    return;
  }
  const onDisk = model.disk.get(file);
  if (onDisk !== undefined) model.trash.set(got.id, new Map([[file, onDisk]]));
  model.disk.delete(file);
  model.known.delete(file);
}

async function moveFolder(
  run: ModelRun,
  model: Model,
  folder: NotebookPath,
  dest: NotebookPath,
  problems: string[],
): Promise<void> {
  const place = join(run.notebook.path, folder);
  const isThere = existsSync(place) && !model.disk.has(folder);
  const isFree = !blocked(run, model, dest) && !existsSync(join(run.notebook.path, dest)) && !model.known.has(dest);
  const isInside = isBelow(dest, folder);
  const isPossible = folder === dest || (isThere && isFree && !isKnownFolder(run, dest) && !isInside);
  const got = await ask(run, { type: 'move_folder', path: folder, dest_path: dest, links: 'keep' });
  if (!expectStatus(got, isPossible, `move folder ${folder} ${dest}`, problems) || folder === dest) return;
  for (const side of [model.disk, model.known]) moveAll(side, folder, dest);
}

function moveAll(side: Map<string, string>, folder: NotebookPath, dest: NotebookPath): void {
  for (const [path, text] of [...side].filter(([each]) => isBelow(each, folder))) {
    side.delete(path);
    side.set(movedPath(path as NotebookPath, folder, dest), text);
  }
}

async function removeFolder(run: ModelRun, model: Model, folder: NotebookPath, problems: string[]): Promise<void> {
  const isFileNow = model.disk.has(folder);
  const got = await ask(run, { type: 'delete_folder', path: folder });
  if (isFileNow) return reconcile(run, model);
  if (!expectStatus(got, true, `delete folder ${folder}`, problems)) return;
  const gone = [...model.disk].filter(([path]) => isBelow(path, folder));
  if (gone.length > 0) model.trash.set(got.id, new Map(gone));
  for (const side of [model.disk, model.known]) {
    for (const path of [...side.keys()].filter((each) => isBelow(each, folder))) side.delete(path);
  }
}

async function undo(run: ModelRun, model: Model, random: Random, problems: string[]): Promise<void> {
  const [id, files] = random.of([...model.trash]) ?? [];
  if (id === undefined || files === undefined) return;
  const got = await ask(run, { type: 'undo_delete', event_id: id });
  if (typeof got === 'string' || got.status !== 'completed') return;
  model.trash.delete(id);
  // The undo also restores files that the index had not seen; the next reconcile adds them to the index.
  for (const [path, text] of files) model.disk.set(path, text);
  if (problems.length === 0) await reconcile(run, model);
}

function compare({ codex, notebook }: ModelRun, model: Model, problems: string[]): void {
  const wanted = Object.fromEntries([...model.disk].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  const say = (what: string, found: Record<string, string>): void => {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    for (const name of names) {
      if (wanted[name] !== found[name])
        problems.push(`${what} ${name}: ${found[name]?.slice(0, 20)}, not ${wanted[name]?.slice(0, 20)}`);
    }
  };
  say('disk', treeOf(notebook.path));
  const rows = codex.store.reader.all<{ path: string; hash: string }>(
    'SELECT path, hash FROM files WHERE notebook_id = ? AND deleted_by IS NULL',
    notebook.id,
  );
  const textByHash = new Map(
    Object.values(wanted).map((text) => [createHash('sha256').update(text).digest('hex'), text]),
  );
  say('index', Object.fromEntries(rows.map(({ path, hash }) => [path, textByHash.get(hash) ?? hash])));
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: notebook.path, encoding: 'utf8', maxBuffer: 1e9 });
  const listed = git('ls-tree', '-r', '-z', '--format=%(path)', 'HEAD').split('\0').filter(Boolean);
  say('HEAD', Object.fromEntries(listed.map((path) => [path, git('show', `HEAD:${path}`)])));
  const status = git('status', '--porcelain').trim();
  if (status !== '') problems.push(`git status: ${status}`);
  git('fsck', '--strict');
}

/** The index that the queue maintained must equal one rebuilt from the files. */
async function compareIndex({ codex, notebook }: ModelRun, problems: string[]): Promise<void> {
  const { store } = codex;
  // After a rename that changes the file type, the file is read again outside the queue.
  await codex.notes.catchUp(notebook);
  problems.push(...noteProblems(store.reader, notebook.id));
  const live = noteDump(store.reader, notebook.id);
  await codex.notes.rebuild(notebook);
  const anew = noteDump(store.reader, notebook.id);
  for (const path of new Set([...Object.keys(live), ...Object.keys(anew)])) {
    const [kept, made] = [JSON.stringify(live[path]), JSON.stringify(anew[path])];
    if (kept !== made) problems.push(`index of ${path}: ${kept}, made anew ${made}`);
  }
  await store.derive((tx) => tx.run(`INSERT INTO note_text (note_text, rank) VALUES ('integrity-check', 0)`));
}
