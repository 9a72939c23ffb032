import { isHoldfastError } from '@holdfast/base';

import { readFile } from '../../adapters/file-content.ts';
import { Tree } from '../../adapters/tree.ts';
import type { NoteChange } from '../../model/note/change.ts';
import { factsOf, NO_FACTS, type NoteFacts } from '../../model/note/facts.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { NotebookPath } from '../../model/path.ts';
import { clearOrphans, putNotes } from '../../store/notes/put-notes.ts';
import { type CheckedFile, checkFiles, checkNotes } from '../../store/notes/stale-notes.ts';
import type { CodexContext } from '../context.ts';
import { type ReadNote, takeOver } from './take-over.ts';

export interface CaughtUp {
  readonly files: number;
  readonly indexed: number;
}

const PAGE = 500;
/** Keeps commits short, because others wait for them. */
const FILES_AT_ONCE = 100;
const BYTES_AT_ONCE = 2_000_000;

/**
 * Updates the index from the files: files older than the index, leftovers of a restored database, and changes that
 * could not be indexed in their own commit. Cheap if there are none.
 */
export async function catchUp(
  codex: CodexContext,
  notebook: Notebook,
  isWanted: () => boolean = () => true,
): Promise<CaughtUp> {
  let files = 0;
  let indexed = 0;
  await forgetGone(codex, notebook.id, isWanted);
  using tree = new Tree(notebook.path);
  for (let after = ''; isWanted();) {
    const page = checkFiles(codex.store.reader, notebook.id, after, PAGE);
    const stale = page.filter(({ is_stale }) => is_stale === 1);
    for (let at = 0; at < stale.length && isWanted();) {
      const notes = await readSome(codex, tree, stale.slice(at, at + FILES_AT_ONCE));
      indexed += await takeOver(codex, notebook.id, notes.found);
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

/** Undefined if the file has changed since it was recorded: syncing it will index it. */
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
