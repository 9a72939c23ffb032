import { isHoldfastError, parseStoredObject } from '@holdfast/base';

import { readFile } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import {
  type About,
  factsOf,
  indexedAs,
  NO_FACTS,
  type NoteChange,
  type NoteFacts,
  targetOf,
} from '../model/note/facts.ts';
import type { Properties } from '../model/note/parse-note.ts';
import { tagsOf } from '../model/note/properties.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import type { NotebookPath } from '../model/path.ts';
import type { ReindexReport } from '../operations/notebooks.ts';
import { fileAt, fileById, setAbout } from '../store/files.ts';
import { findNotebook, listNotebooks } from '../store/notebooks.ts';
import { type CheckedFile, checkFiles, checkNotes, clearOrphans, markStale, putNotes } from '../store/notes.ts';
import type { Transaction } from '../store/open.ts';
import type { CodexContext } from './context.ts';
import { factsWithSidecar } from './handlers/handler.ts';

/** Indexes files that the queue did not index, in the background and one notebook at a time. */
export class NoteIndex {
  readonly #codex: CodexContext;
  readonly #waiting = new Set<number>();
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(codex: CodexContext) {
    this.#codex = codex;
  }

  start(): void {
    this.#isStarted = true;
    this.wakeAll();
  }

  wakeAll(): void {
    for (const { id } of listNotebooks(this.#codex.store.reader)) this.wake(id);
  }

  /** Schedules a notebook. Does nothing unless this process works on the queues. */
  wake(notebookId: number): void {
    if (!this.#isStarted || this.#isClosed) return;
    this.#waiting.add(notebookId);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when the index is up to date with the files, or when this object is closed. */
  catchUp(notebook: Notebook): Promise<ReindexReport> {
    return catchUp(this.#codex, notebook, () => !this.#isClosed);
  }

  /** Indexes all files again. Search uses the old index until then. */
  async rebuild(notebook: Notebook): Promise<ReindexReport> {
    await this.#codex.store.derive((tx) => markStale(tx, notebook.id));
    return this.catchUp(notebook);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const id of this.#waiting) {
      this.#waiting.delete(id);
      const notebook = findNotebook(this.#codex.store.reader, id);
      if (notebook?.state !== 'active' || this.#isClosed) continue;
      try {
        await this.catchUp(notebook);
        this.#codex.problems.clear(id, 'notes');
      } catch (error) {
        if (!this.#isClosed) this.#codex.problems.report(id, 'notes', error);
      }
    }
  }
}

const PAGE = 500;
/** Files per commit. Keeps commits short, because other writers wait for them. */
const FILES_AT_ONCE = 100;
const BYTES_AT_ONCE = 2_000_000;

/**
 * Updates the index from the files: indexes files that are missing or have changed, and removes rows without a file,
 * which a restore can leave. Fast if the index is up to date.
 */
export async function catchUp(
  codex: CodexContext,
  notebook: Notebook,
  isWanted: () => boolean = () => true,
): Promise<ReindexReport> {
  let files = 0;
  let indexed = 0;
  await forgetGone(codex, notebook.id, isWanted);
  using tree = new Tree(notebook.path);
  for (let after = ''; isWanted();) {
    const page = checkFiles(codex.store.reader, notebook.id, after, PAGE);
    const stale = page.filter(({ is_stale }) => is_stale === 1);
    for (let at = 0; at < stale.length && isWanted();) {
      const notes = await readSome(codex, tree, stale.slice(at, at + FILES_AT_ONCE));
      indexed += await indexNotes(codex, notebook.id, notes.found);
      at += notes.count;
    }
    files += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.path;
    await breathe();
  }
  while (isWanted() && (await codex.store.derive((tx) => clearOrphans(tx, FILES_AT_ONCE))) === FILES_AT_ONCE)
    await breathe();
  return { files, indexed };
}

async function forgetGone(codex: CodexContext, notebookId: number, isWanted: () => boolean): Promise<void> {
  for (let after = 0; isWanted();) {
    const page = checkNotes(codex.store.reader, notebookId, after, PAGE);
    const fileIds = page.filter(({ is_gone }) => is_gone === 1).map(({ file_id }) => file_id);
    const change: NoteChange = { kind: 'gone', fileIds };
    if (fileIds.length > 0) await codex.store.derive((tx) => putNotes(tx, notebookId, [change]));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.row;
    await breathe();
  }
}

async function readSome(
  { settings }: CodexContext,
  tree: Tree,
  files: readonly CheckedFile[],
): Promise<{ readonly found: readonly ReadNote[]; readonly count: number }> {
  const found: ReadNote[] = [];
  let bytes = 0;
  let count = 0;
  for (const file of files) {
    if (bytes > BYTES_AT_ONCE) break;
    count += 1;
    if (file.size > settings.git_max_file_bytes) found.push({ file, facts: NO_FACTS });
    else {
      const facts = await readFacts(tree, file);
      if (facts !== undefined) found.push({ file, facts });
      bytes += file.size;
    }
  }
  return { found, count };
}

/** Returns undefined if the file has changed since it was recorded. The sync of that change will index it. */
async function readFacts(tree: Tree, { path, hash }: CheckedFile): Promise<NoteFacts | undefined> {
  try {
    const found = await readFile(tree, path);
    return found.hash === hash ? factsOf(path as NotebookPath, found.bytes) : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (isHoldfastError(error) || code === 'STALE_READ' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface ReadNote {
  readonly file: CheckedFile;
  readonly facts: NoteFacts;
}

/**
 * Indexes these files in one commit, except those that have changed in the meantime. Returns the number of indexed
 * files.
 */
async function indexNotes(codex: CodexContext, notebookId: number, notes: readonly ReadNote[]): Promise<number> {
  let changes: NoteChange[] = [];
  const recorded = codex.store.write('codex index', (tx) => {
    changes = notes.flatMap((note) => indexFile(tx, notebookId, note));
  });
  const indexed = codex.store.derive((tx) => putNotes(tx, notebookId, changes));
  await Promise.all([recorded, indexed]);
  return changes.filter(({ kind }) => kind === 'content').length;
}

function indexFile(tx: Transaction, notebookId: number, { file, facts: read }: ReadNote): readonly NoteChange[] {
  const row = fileById(tx, file.id);
  if (row?.hash !== file.hash || row.path !== file.path || row.last_event_id !== file.last_event_id) return [];
  const path = row.path as NotebookPath;
  const beside = factsWithSidecar(tx, notebookId, path, read);
  const facts = file.is_new === 1 ? withKept(row, beside) : beside;
  storeAbout(tx, row, facts);
  const { id: fileId, hash, last_event_id: eventId } = row;
  return [{ kind: 'content', fileId, hash, eventId, ...indexedAs(path, facts) }, ...indexTarget(tx, notebookId, path)];
}

/** Updates the index of a sidecar's file, because the file may have been indexed before the sidecar. */
function indexTarget(tx: Transaction, notebookId: number, sidecar: NotebookPath): readonly NoteChange[] {
  const path = targetOf(sidecar);
  const row = path === undefined ? undefined : fileAt(tx, notebookId, path);
  if (path === undefined || row === undefined) return [];
  const facts = factsWithSidecar(tx, notebookId, path, NO_FACTS);
  storeAbout(tx, row, facts);
  return [{ kind: 'about', fileId: row.id, eventId: row.last_event_id, ...indexedAs(path, facts) }];
}

/** Metadata that is stored only in the database stays until the file has its own. */
function withKept(row: FileRecord, facts: NoteFacts): NoteFacts {
  const properties = { ...(parseStoredObject(row.properties) as Properties), ...facts.properties };
  return {
    ...facts,
    title: facts.title ?? row.title,
    description: facts.description ?? row.description,
    properties,
    tags: tagsOf(properties, facts.tags),
  };
}

function storeAbout(tx: Transaction, row: FileRecord, { title, description, properties }: About): void {
  const isSame =
    row.title === title && row.description === description && row.properties === JSON.stringify(properties);
  if (!isSame) setAbout(tx, row.id, { title, description, properties });
}
