import { parseStoredObject } from '@holdfast/base';

import { stageContent } from '../../adapters/blobs.ts';
import { readFile } from '../../adapters/file-content.ts';
import type { DeviceOf } from '../../adapters/notebook-folder.ts';
import type { Tree } from '../../adapters/tree.ts';
import type { EventResult, FileEvent } from '../../model/event.ts';
import { contentTypeOf } from '../../model/file-types.ts';
import {
  aboutOf,
  factsOf,
  indexedAs,
  isSidecar,
  NO_FACTS,
  type NoteChange,
  type NoteFacts,
  sidecarsOf,
  targetOf,
  withAbout,
} from '../../model/note/facts.ts';
import type { Properties } from '../../model/note/parse-note.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { DiskState } from '../../model/operation.ts';
import { nameOf, type NotebookPath, parentOf } from '../../model/path.ts';
import type { Settings } from '../../model/settings.ts';
import { insertSyncEvents } from '../../store/events.ts';
import { fileAt, fileById, putAbout, putFile } from '../../store/files.ts';
import { putFolders } from '../../store/folders.ts';
import { addPending, type NewPending } from '../../store/git.ts';
import type { Transaction } from '../../store/open.ts';

export interface Work {
  readonly event: FileEvent;
  /** Content of the event, unless it is in `.codex/blobs/`. */
  readonly content: Uint8Array | null;
  readonly notebook: Notebook;
  readonly tree: Tree;
  /** Handlers read without a transaction, because only the notebook's lane changes what they read. */
  readonly reader: Transaction;
  readonly settings: Settings;
  readonly newId: () => string;
  readonly newCorrelationId: () => string;
  readonly deviceOf: DeviceOf;
  /** Changes for the note index, added by `finish`. */
  readonly notes: NoteChange[];
}

/**
 * Carries out one kind of intent. `apply` checks the disk first and skips steps that are already done, so that
 * repeating it after a crash has the same result. `finish` records the result in the caller's transaction.
 */
export interface Handler<I, Done> {
  apply(work: Work, intent: I): Promise<Done>;
  finish(tx: Transaction, work: Work, intent: I, done: Done, now: string): EventResult;
  /** Undoes the steps that `apply` took before it failed permanently. */
  undo?(work: Work, intent: I): Promise<void>;
}

export interface Recorded {
  readonly id: string;
  readonly path: NotebookPath;
  readonly hash: string;
  readonly state: DiskState;
  /** Content for git; undefined if it is longer than 4 KiB and therefore staged in a file. */
  readonly inline: Uint8Array | undefined;
  /** Facts read from the content; undefined if it is too long. */
  readonly facts: NoteFacts | undefined;
}

/** Returns the current state of a file on disk, with its content staged for git. */
export async function recordedFile({ tree, notebook }: Work, path: NotebookPath): Promise<Omit<Recorded, 'id'>> {
  const { bytes, hash, state } = await readFile(tree, path);
  const { inline } = await stageContent(notebook.path, bytes);
  return { path, hash, state, inline, facts: factsOf(path, bytes) };
}

/** Queues a sync of paths that another program has changed in the meantime. */
export function lookAgain(tx: Transaction, { notebook }: Work, paths: readonly NotebookPath[], now: string): void {
  const operations = paths.map((path) => ({ type: 'sync', path, event: 'look' }) as const);
  insertSyncEvents(tx, notebook.id, operations, now);
}

export function recordFile(tx: Transaction, work: Work, file: Recorded, now: string): void {
  const { event, notebook, settings } = work;
  const isTracked = file.state.size <= settings.git_max_file_bytes;
  const reason = isTracked ? null : `larger than ${settings.git_max_file_bytes} bytes, the limit for files in git`;
  const facts = factsWithSidecar(tx, notebook.id, file.path, file.facts ?? NO_FACTS);
  recordFolders(tx, work, file.path, now);
  putFile(tx, {
    id: file.id,
    notebookId: notebook.id,
    path: file.path,
    hash: file.hash,
    state: file.state,
    contentType: contentTypeOf(file.path),
    eventId: event.id,
    now,
    git: { tracked: isTracked, reason },
    about: facts,
  });
  const { id: fileId, hash } = file;
  work.notes.push({ kind: 'content', fileId, hash, eventId: event.id, ...indexedAs(file.path, facts) });
  refreshTarget(tx, work, file.path, now);
  if (!isTracked) return;
  const content = { blob_hash: file.hash, size: file.state.size, content: file.inline ?? null, mode: file.state.mode };
  addPending(tx, { ...pending(work, now), kind: 'write', path: file.path, ...content });
}

export function recordFolders(tx: Transaction, { notebook, newId }: Work, path: NotebookPath, now: string): void {
  const folder = parentOf(path);
  if (folder !== undefined) putFolders(tx, notebook.id, folder, now, newId);
}

function pending(
  { event, notebook }: Work,
  now: string,
): Pick<NewPending, 'notebook_id' | 'event_id' | 'author' | 'at'> {
  return { notebook_id: notebook.id, event_id: event.id, author: event.author, at: now };
}

export function recordRename(tx: Transaction, work: Work, from: string, path: string, now: string): void {
  addPending(tx, { ...pending(work, now), kind: 'rename', path, from_path: from });
}

export function recordDelete(tx: Transaction, work: Work, path: string, now: string): void {
  addPending(tx, { ...pending(work, now), kind: 'delete', path });
}

/** Adds the metadata of the sidecar, if there is one. */
export function factsWithSidecar(tx: Transaction, notebookId: number, path: NotebookPath, facts: NoteFacts): NoteFacts {
  for (const sidecar of sidecarsOf(path)) {
    const row = fileAt(tx, notebookId, sidecar);
    if (row !== undefined) return withAbout(facts, aboutOf(parseStoredObject(row.properties) as Properties));
  }
  return facts;
}

/** Updates a file after its sidecar was added, changed or removed. */
export function refreshTarget(tx: Transaction, work: Work, sidecar: NotebookPath, now: string): void {
  const path = targetOf(sidecar);
  const row = path === undefined ? undefined : fileAt(tx, work.notebook.id, path);
  if (path !== undefined && row !== undefined) refreshAbout(tx, work, row.id, path, now);
}

/** Updates metadata after a file moved. A moved folder takes its sidecars with it. */
export function recordMoved(tx: Transaction, work: Work, id: string, from: NotebookPath, now: string): void {
  const row = fileById(tx, id);
  if (row === undefined) return;
  const path = row.path as NotebookPath;
  const isOtherKind = contentTypeOf(from) !== contentTypeOf(path) || isSidecar(from) !== isSidecar(path);
  const mayDiffer = row.properties !== '{}' || sidecarsOf(path).some((each) => fileAt(tx, work.notebook.id, each));
  if (sidecarsOf(path).length > 0 && mayDiffer) refreshAbout(tx, work, id, path, now);
  else work.notes.push({ kind: 'about', fileId: id, name: indexedAs(path, NO_FACTS).name, eventId: row.last_event_id });
  if (isOtherKind) work.notes.push({ kind: 'stale', fileId: id });
  refreshTarget(tx, work, from, now);
  refreshTarget(tx, work, path, now);
}

function refreshAbout(tx: Transaction, work: Work, fileId: string, path: NotebookPath, now: string): void {
  const facts = factsWithSidecar(tx, work.notebook.id, path, NO_FACTS);
  putAbout(tx, fileId, facts, work.event.id, now);
  work.notes.push({ kind: 'about', fileId, name: nameOf(path), eventId: work.event.id, facts });
}
