import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { stageContent } from '../../apps/codex/src/adapters/blobs.ts';
import { Tree } from '../../apps/codex/src/adapters/tree.ts';
import { factsOf, indexedAs, type NoteChange } from '../../apps/codex/src/model/note/facts.ts';
import type { Notebook } from '../../apps/codex/src/model/notebook.ts';
import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { type Settings, settingsFrom } from '../../apps/codex/src/model/settings.ts';
import { type Codex, openCodex } from '../../apps/codex/src/service/codex.ts';
import { addNotebook } from '../../apps/codex/src/service/notebooks.ts';
import { insertEvent } from '../../apps/codex/src/store/events.ts';
import { putFile } from '../../apps/codex/src/store/files.ts';
import { putFolders } from '../../apps/codex/src/store/folders.ts';
import { addPending } from '../../apps/codex/src/store/git.ts';
import type { Store, Transaction } from '../../apps/codex/src/store/open.ts';
import { Random } from '../../packages/sqlite/test/random.ts';

export interface Opened {
  readonly codex: Codex;
  readonly notebook: Notebook;
}

export const WAIT_MS = 600_000;

/** Opens a separate notebook. The watcher and automatic commits are off unless `settings` turns them on. */
export async function openNotebook(folder: string, settings: Partial<Settings> = {}): Promise<Opened> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const codex = await openCodex({
    home: folder,
    databasePath: join(folder, 'codex.db'),
    settings: {
      ...settingsFrom({}),
      watch: false,
      max_pending: 100_000,
      git_quiet_interval: 3_600,
      git_commit_interval: 3_600,
      git_commit_max_files: 1_000_000,
      ...settings,
    },
  });
  const notebook = await addNotebook(codex, { name: 'notes' });
  return { codex, notebook };
}

/** About a kilobyte of text, different for each number. */
export function noteText(n: number): Buffer {
  return Buffer.from(`# Note ${n}\n\n${`Something about ${n}. `.repeat(45)}\n`);
}

const WORDS = 20_000;
const WORDS_IN_NOTE = 120;
const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo zu ça ö tri sta min'.split(' ');
const AT_ONCE = 1_000;

/** Words with the frequencies of a natural language: the n-th word is about n times rarer than the first. */
export class Vocabulary {
  readonly #random: Random;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.#random = new Random(seed);
    const word = (): string =>
      Array.from({ length: 2 + this.#random.below(3) }, () => this.#random.of(SYLLABLES)).join('');
    this.#words = Array.from({ length: WORDS }, word);
  }

  word(): string {
    return this.#words[Math.floor(WORDS ** this.#random.next()) - 1] ?? '';
  }

  /** About a kilobyte by default, with properties, a heading, tags and links. */
  note(n: number, length = WORDS_IN_NOTE): string {
    const words = Array.from({ length }, () => this.word());
    const head = `---\ntitle: ${this.word()} ${n}\ntags: [${this.word()}, t${n % 50}]\nstatus: ${n % 3 === 0 ? 'open' : 'done'}\n---\n`;
    return `${head}# ${this.word()} ${this.word()}\n\n${words.join(' ')}\n\nSee [[${this.word()}]] and #${this.word()}.\n`;
  }
}

function notePlace(n: number): string {
  return `f${n % 100}/s${Math.floor(n / 100) % 10}/note ${n}.md`;
}

export function noteChange(n: number, text: string): Extract<NoteChange, { kind: 'content' }> {
  const path = notebookPath(notePlace(n));
  return {
    kind: 'content',
    fileId: `id-${n}`,
    hash: `hash-${n}`,
    eventId: n,
    ...indexedAs(path, factsOf(path, Buffer.from(text))),
  };
}

/** Records files with their metadata in the database, without creating them on disk. */
export async function fillFiles(
  store: Store,
  notebookId: number,
  count: number,
  also: (tx: Transaction, n: number) => void,
): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    await store.derive((tx) => {
      for (let n = start; n < Math.min(start + AT_ONCE, count); n++) putOne(tx, notebookId, n, also);
    });
  }
}

function putOne(tx: Transaction, notebookId: number, n: number, also: (tx: Transaction, n: number) => void): void {
  const path = notebookPath(notePlace(n));
  const now = new Date(1_700_000_000_000 + n).toISOString();
  const state = { kind: 'file', size: 1_000, mode: 0o644, mtime_ns: '1', ctime_ns: '1', inode: String(n) } as const;
  const file = { id: `id-${n}`, notebookId, path, hash: `hash-${n}`, state, eventId: n, now };
  const folder = notebookPath(path.slice(0, path.lastIndexOf('/')));
  if (n < 1_000) putFolders(tx, notebookId, folder, now, () => `folder-${n}-${Math.random()}`);
  putFile(tx, { ...file, contentType: 'text/markdown', git: { tracked: true, reason: null } });
  also(tx, n);
}

/** Stores pending git changes, as the worker does after it has written files. */
export async function leaveForGit(
  store: Store,
  notebookId: number,
  root: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  const at = new Date().toISOString();
  const author = 'Ada <ada@example.org>';
  const staged = await Promise.all(files.map(([, text]) => stageContent(root, Buffer.from(text))));
  using tree = new Tree(root);
  await store.write('changes', (tx) => {
    for (const [n, { hash, size, inline }] of staged.entries()) {
      const path = notebookPath(files[n]?.[0] ?? '');
      const operation = { type: 'delete', kind: 'file', path } as const;
      const { id: eventId } = insertEvent(tx, { notebookId, operation, author, now: at });
      tx.run("UPDATE file_events SET status = 'completed', processed_at = ? WHERE id = ?", at, eventId);
      const content = { blob_hash: hash, size, content: inline ?? null, mode: 0o644 };
      addPending(tx, { notebook_id: notebookId, kind: 'write', path, event_id: eventId, author, at, ...content });
      const state = tree.state(path);
      if (state === undefined) continue;
      const file = { id: `f-${path}`, notebookId, path, hash, state, contentType: 'text/markdown', eventId, now: at };
      putFile(tx, { ...file, git: { tracked: true, reason: null } });
    }
  });
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
