import { failpoint, isHoldfastError, MINUTE } from '@holdfast/base';

import { readFile } from '../../adapters/file-content.ts';
import { gitBlobId } from '../../adapters/git-content.ts';
import { conflictMark } from '../../adapters/git-merge.ts';
import { Tree } from '../../adapters/tree.ts';
import type { NotebookRepository } from '../../git/notebook-repository.ts';
import { codexErrors } from '../../model/errors.ts';
import type { FileEvent } from '../../model/event.ts';
import { failureOf } from '../../model/failure.ts';
import { EXECUTABLE_MODE, FILE_MODE } from '../../model/git.ts';
import type { Notebook } from '../../model/notebook.ts';
import { conflictPath, notebookPath, type NotebookPath } from '../../model/path.ts';
import { mergeTexts } from '../../model/remote.ts';
import { lastEventId } from '../../store/events.ts';
import { fileAt } from '../../store/files.ts';
import { type ChangeRow, dropChanges, dropMerge, findMerge, remainingChanges } from '../../store/remotes.ts';
import type { Codex } from '../codex.ts';
import type { Request } from '../requests.ts';

const AT_ONCE = 50;
const WAIT_MS: number = 10 * MINUTE;
const ROUNDS_MAX = 10;

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/** The plan for one path: requests for the queue, or the reason to leave the path unchanged. */
type Step = { readonly requests: readonly Request[] } | { readonly skipped: string };

/** Errors after which the file is read again, because somebody changed it after we had decided what to do. */
const CHANGED: ReadonlySet<string> = new Set(['FILE_CHANGED', 'FILE_EXISTS', 'FILE_NOT_FOUND', 'EVENT_OVERTAKEN']);

/**
 * Brings the folder to the merged commit. Every decision depends only on the commit and the current file, so the work
 * can be interrupted at any moment and repeated. A file that changed since the merge is merged once more.
 */
export async function applyMerge(codex: Codex, notebook: Notebook): Promise<readonly Skipped[]> {
  const { store, git } = codex;
  const merge = findMerge(store.reader, notebook.id);
  if (merge === undefined) return [];
  const opened = await git.repository(notebook.id);
  const applying: Applying = { codex, notebook, opened, author: `sync with ${merge.remote}` };
  const skipped: Skipped[] = [];
  for (let round = 1; ; round += 1) {
    // Deletions come first, because a folder may replace a file, and a new name may differ from a deleted one only in
    // case.
    const left = (await applyAll(applying, 'deletions', skipped)) + (await applyAll(applying, 'writes', skipped));
    if (left === 0) break;
    if (round === ROUNDS_MAX) {
      throw codexErrors.SYNC_UNFINISHED(`${left} files kept changing while they were being merged`);
    }
    // Updates the index, which may lack changes that another program has just made.
    await codex.reconcile(notebook, WAIT_MS);
  }
  // Commits pending renames before the merge ends. They may have moved files as they were before the merge; see
  // queueMoved.
  await git.flush(notebook.id, lastEventId(store.reader));
  failpoint('codex.sync.finished');
  await store.write('codex merge finished', (tx) => dropMerge(tx, notebook.id));
  return skipped;
}

interface Applying {
  readonly codex: Codex;
  readonly notebook: Notebook;
  readonly opened: NotebookRepository;
  readonly author: string;
}

/** Returns the number of changes that have to be tried again. */
async function applyAll(applying: Applying, kind: 'deletions' | 'writes', skipped: Skipped[]): Promise<number> {
  const { store } = applying.codex;
  const { id } = applying.notebook;
  using tree = new Tree(applying.opened.repository.folder);
  let left = 0;
  for (let after = ''; ;) {
    const changes = remainingChanges(store.reader, id, kind, after, AT_ONCE);
    if (changes.length === 0) return left;
    after = changes.at(-1)?.path ?? '';
    const done: string[] = [];
    const ends = await Promise.all(changes.map((change) => applyChange(applying, tree, change)));
    for (const [at, end] of ends.entries()) {
      const { path = '' } = changes[at] ?? {};
      if (end === 'again') left += 1;
      else done.push(path);
      if (typeof end === 'object') skipped.push({ path, reason: end.skipped });
    }
    failpoint('codex.sync.applied');
    await store.write('codex merge applied', (tx) => dropChanges(tx, id, done));
  }
}

async function applyChange(
  applying: Applying,
  tree: Tree,
  change: ChangeRow,
): Promise<'done' | 'again' | { readonly skipped: string }> {
  try {
    const step = await decide(applying, tree, change);
    if ('skipped' in step) return step;
    for (const request of step.requests) {
      const event = await runRequest(applying, request);
      if (event.status === 'completed' || event.status === 'superseded') continue;
      if (CHANGED.has(event.error_code ?? '')) return 'again';
      return { skipped: event.error_message ?? 'the operation failed' };
    }
    return 'done';
  } catch (error) {
    const { code, message, isTransient } = failureOf(error);
    if (CHANGED.has(code) || code === 'STALE_READ') return 'again';
    if (isTransient || !isHoldfastError(error)) throw error;
    return { skipped: message };
  }
}

async function runRequest({ codex, notebook, author }: Applying, request: Request): Promise<FileEvent> {
  const { events } = await codex.publish({ notebookId: notebook.id, author, requests: [request] });
  const waited = await codex.wait(events[0]?.id ?? 0, WAIT_MS);
  if (waited === undefined || waited.timedOut) {
    throw codexErrors.SYNC_UNFINISHED('The notebook is not processing the changes from the remote');
  }
  return waited.event;
}

async function decide(applying: Applying, tree: Tree, change: ChangeRow): Promise<Step> {
  const { codex, notebook, opened } = applying;
  const { path, before, after } = change;
  if (after !== null && change.mode !== FILE_MODE && change.mode !== EXECUTABLE_MODE) {
    return { skipped: change.mode === '160000' ? 'is a submodule' : 'is a symbolic link' };
  }
  const row = fileAt(codex.store.reader, notebook.id, path);
  const current = row === undefined ? undefined : await currentVersion(tree, path, opened, before);
  if ((current?.oid ?? null) === after) return { requests: [] };
  const isUnchanged = (current?.oid ?? null) === before;
  if (after === null) return { requests: isUnchanged ? deletion(path, current?.hash) : [] };
  const theirs = await blob(opened, after, codex.settings.max_file_bytes);
  if (theirs === undefined) return { skipped: `is larger than ${codex.settings.max_file_bytes} bytes` };
  if (current === undefined) return { requests: [{ type: 'create', path: notebookPath(path), content: theirs }] };
  const update = (content: Uint8Array): Step => ({
    requests: [{ type: 'update', file: fileNamed(path), content: current.asOnDisk(content), base_hash: current.hash }],
  });
  if (isUnchanged) return update(theirs);
  const base = before === null ? undefined : await blob(opened, before, codex.settings.max_file_bytes);
  const merged = mergeTexts(base ?? new Uint8Array(), current.stored, theirs);
  if (merged !== undefined) return update(merged);
  const beside = conflictPath(path as NotebookPath, conflictMark(after));
  if (fileAt(codex.store.reader, notebook.id, beside) !== undefined) return { requests: [] };
  return { requests: [{ type: 'create', path: beside, content: theirs }] };
}

function deletion(path: string, base_hash: string | undefined): readonly Request[] {
  return [{ type: 'delete', file: fileNamed(path), base_hash }];
}

function fileNamed(path: string): { readonly path: NotebookPath } {
  return { path: path as NotebookPath };
}

interface CurrentVersion {
  readonly hash: string;
  /** Id of the content as git stores it. */
  readonly oid: string;
  readonly stored: Uint8Array;
  /** Converts content to the line endings of the file. */
  readonly asOnDisk: (content: Uint8Array) => Uint8Array;
}

/** If git stores this file with other line endings, compares and merges it in that form. */
async function currentVersion(
  tree: Tree,
  path: string,
  { repository }: NotebookRepository,
  before: string | null,
): Promise<CurrentVersion | undefined> {
  if (tree.state(path) === undefined) return undefined;
  const { bytes, hash } = await readFile(tree, path);
  const oid = gitBlobId(bytes, repository.objectFormat);
  const plain = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
  const converted = Buffer.from(plain, 'latin1');
  const isConverted = oid !== before && gitBlobId(converted, repository.objectFormat) === before;
  if (!isConverted) return { hash, oid, stored: bytes, asOnDisk: (content) => content };
  return { hash, oid: before, stored: converted, asOnDisk: withCrlf };
}

function withCrlf(content: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(content).toString('latin1').replaceAll(/\r?\n/gu, '\r\n'), 'latin1');
}

/** Returns the content of a blob; undefined if it is too large. */
async function blob({ objects }: NotebookRepository, oid: string, bytesMax: number): Promise<Uint8Array | undefined> {
  const found = await objects.read(oid);
  if (found === undefined) throw codexErrors.GIT_UNAVAILABLE(`The repository lacks the object ${oid}`);
  return found.content.length > bytesMax ? undefined : found.content;
}
