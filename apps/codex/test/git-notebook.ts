import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { stageContent } from '../src/adapters/blobs.ts';
import { makeOwnFolder } from '../src/adapters/notebook-folder.ts';
import { GitLanes } from '../src/git/lane.ts';
import { type NotebookPath, pathKey } from '../src/model/path.ts';
import { type Settings, settingsFrom } from '../src/model/settings.ts';
import { insertEvent } from '../src/store/events.ts';
import { addPending, type NewPending } from '../src/store/git.ts';
import { insertNotebook, listNotebooks } from '../src/store/notebooks.ts';
import { openStore, type Store } from '../src/store/open.ts';

interface Change {
  readonly author?: string;
  /** True if another program made the change and the watcher found it. */
  readonly external?: boolean;
  readonly executable?: boolean;
}

/** A notebook with its git lane; the functions change files as the worker does. */
export interface GitNotebook {
  readonly folder: string;
  readonly database: string;
  readonly id: number;
  readonly store: Store;
  readonly lanes: GitLanes;
  /** Like `remove`, `rename` and `stage`, returns the event id. */
  readonly write: (path: string, content: string | Uint8Array, change?: Change) => Promise<number>;
  readonly remove: (path: string, change?: Change) => Promise<number>;
  readonly rename: (from: string, to: string, change?: Change) => Promise<number>;
  /** Records the change without writing the file. */
  readonly stage: (path: string, content: string | Uint8Array, change?: Change) => Promise<number>;
  readonly flush: () => Promise<string | null>;
  readonly git: (...args: string[]) => string;
  readonly pendingCount: () => number;
  readonly commitOf: (eventId: number) => string | null;
  readonly close: () => Promise<void>;
}

export interface GitNotebookOptions {
  readonly base?: string;
  readonly folder?: string;
  readonly settings?: Partial<Settings>;
  readonly now?: () => number;
}

const made: string[] = [];

/** Call this after all tests in a file. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-')));
  made.push(folder);
  return folder;
}

export async function openGitNotebook(options: GitNotebookOptions = {}): Promise<GitNotebook> {
  const base = options.base ?? temporaryFolder();
  const folder = options.folder ?? join(base, 'notebook');
  const database = join(base, 'codex.db');
  mkdirSync(folder, { recursive: true });
  makeOwnFolder(folder);
  const store = await openStore({ path: database, processIsEnding: true });
  const known = listNotebooks(store.reader).find(({ path }) => path === folder);
  const notebook = known ?? (await store.write('add', (tx) => insertNotebook(tx, folder, folder, stamp())));
  // Long intervals, so commits happen only when a test requests them.
  const settings = { ...settingsFrom({}), git_quiet_interval: 3_600, git_commit_interval: 3_600, ...options.settings };
  const lanes = new GitLanes({
    store,
    settings,
    clock: options.now ?? Date.now,
    random: Math.random,
    problems: { report() {}, clear() {} },
  });
  const steps = stepsOf(store, lanes, notebook.id, folder);
  return {
    ...steps,
    folder,
    database,
    id: notebook.id,
    store,
    lanes,
    flush: () => lanes.flush(notebook.id),
    git: (...args) => gitIn(folder, ...args),
    pendingCount: () => store.reader.get<{ n: number }>('SELECT count(*) AS n FROM git_pending')?.n ?? 0,
    commitOf: (id) =>
      store.reader.get<{ commit_sha: string | null }>('SELECT commit_sha FROM file_events WHERE id = ?', id)
        ?.commit_sha ?? null,
    async close() {
      await lanes.close();
      await store.close();
    },
  };
}

/** Runs git as a user would in a terminal, without the git options that codex sets. */
export function gitIn(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Uma User', '-c', 'user.email=uma@example.org', '-c', 'core.quotePath=false'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

type Steps = Pick<GitNotebook, 'write' | 'remove' | 'rename' | 'stage'>;

function stepsOf(store: Store, lanes: GitLanes, notebookId: number, folder: string): Steps {
  const add = (
    kind: NewPending['kind'],
    path: string,
    change: Change,
    more: Partial<NewPending> = {},
  ): Promise<number> =>
    store
      .write('step', (tx) => {
        const { author = 'Ada <ada@example.org>', external = false } = change;
        const { id: eventId } = insertEvent(tx, {
          notebookId,
          operation: external
            ? { type: 'sync', path: path as NotebookPath, event: 'look' }
            : { type: 'delete', kind: 'file', path: path as NotebookPath },
          author,
          now: stamp(),
        });
        tx.run("UPDATE file_events SET status = 'completed', processed_at = ? WHERE id = ?", stamp(), eventId);
        const none = { from_path: null, blob_hash: null, size: null, content: null, mode: null };
        const row = { notebook_id: notebookId, kind, path, event_id: eventId, author, at: stamp() };
        addPending(tx, { ...none, ...row, ...more });
        return eventId;
      })
      .finally(() => lanes.scheduleCommit(notebookId));
  const stage: Steps['stage'] = async (path, content, change = {}) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const { hash, size, inline } = await stageContent(folder, bytes);
    await knownFile(store, notebookId, path, hash, size);
    const mode = change.executable === true ? 0o755 : 0o644;
    return add('write', path, change, { blob_hash: hash, size, content: inline ?? null, mode });
  };
  return {
    stage,
    async write(path, content, change = {}) {
      const place = join(folder, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      if (change.executable === true) chmodSync(place, 0o755);
      return stage(path, content, change);
    },
    async remove(path, change = {}) {
      rmSync(join(folder, path), { recursive: true });
      await store.write('file', (tx) =>
        tx.run('DELETE FROM files WHERE notebook_id = ? AND path = ?', notebookId, path),
      );
      return add('delete', path, change);
    },
    async rename(from, to, change = {}) {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      renameSync(join(folder, from), join(folder, to));
      return add('rename', to, change, { from_path: from });
    },
  };
}

async function knownFile(store: Store, notebookId: number, path: string, hash: string, size: number): Promise<void> {
  await store.write('file', (tx) => {
    tx.run('DELETE FROM files WHERE notebook_id = ? AND path = ?', notebookId, path);
    tx.run(
      `INSERT INTO files (id, notebook_id, path, path_key, size, hash, content_type, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, 'text/plain', '', '')`,
      `f-${notebookId}-${path}`,
      notebookId,
      path,
      pathKey(path),
      size,
      hash,
    );
  });
}

function stamp(): string {
  return new Date().toISOString();
}

/** Returns every file below a folder with its content, except those of git and codex. */
export function filesOnDisk(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (at: string): void => {
    for (const name of readdirSync(join(folder, at))) {
      const path = at === '' ? name : `${at}/${name}`;
      if (name === '.git' || name === '.codex') continue;
      if (lstatSync(join(folder, path)).isDirectory()) look(path);
      else found[path] = readFileSync(join(folder, path), 'latin1');
    }
  };
  look('');
  return found;
}

export function filesInCommit(folder: string, commit = 'HEAD'): Record<string, string> {
  const found: Record<string, string> = {};
  const names = gitIn(folder, 'ls-tree', '-r', '-z', '--name-only', commit)
    .split('\0')
    .filter((name) => name !== '');
  for (const name of names) {
    found[name] = execFileSync('git', ['cat-file', 'blob', `${commit}:./${name}`], { cwd: folder, encoding: 'latin1' });
  }
  return found;
}
