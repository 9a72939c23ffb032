import { MEBIBYTE } from '@holdfast/base';

import { readStaged, stageContent, type Staged } from '../../adapters/blobs.ts';
import { readFile } from '../../adapters/file-content.ts';
import { codexErrors, nothingInTrash } from '../../model/errors.ts';
import { staleRead } from '../../model/failure.ts';
import { isText } from '../../model/file-types.ts';
import { relinked } from '../../model/links.ts';
import { editFrontMatter, editSidecar, type PropertyEdit } from '../../model/note/edit-properties.ts';
import { hasFrontMatter, isSidecar } from '../../model/note/facts.ts';
import type { FileRecord } from '../../model/notebook.ts';
import {
  type CreateOperation,
  type DeleteOperation,
  type DiskState,
  type FileMetadata,
  type Intent,
  type MoveOperation,
  type Operation,
  type StagedContent,
  type UpdateOperation,
  looksSame,
} from '../../model/operation.ts';
import { ancestorsOf, isBelow, type NotebookPath, pathKey } from '../../model/path.ts';
import { fileAt, fileById, trashOf } from '../../store/files.ts';
import { folderAt, pathsOfKey } from '../../store/folders.ts';
import type { Transaction } from '../../store/open.ts';
import { Resolver } from '../link-resolver.ts';
import type { Work } from './handler.ts';
import { requireMounted } from '../../watch/disks.ts';

/**
 * Turns an operation into an intent for the current state. Throws if the operation is impossible. Changes no file in
 * the notebook, but may stage new content.
 */
export async function plan(work: Work, operation: Operation | null): Promise<Planned> {
  const { path, dest_path } = work.event;
  // Sync checks mounts itself; other handlers must not write to an empty mount point.
  if (operation?.type !== 'sync') requireMounted(work, path, dest_path);
  if (operation?.type === 'update' && operation.relink !== undefined) return planRelink(work, operation);
  return { intent: await intentFor(work, operation) };
}

async function intentFor(work: Work, operation: Operation | null): Promise<Intent> {
  switch (operation?.type) {
    case 'create':
      return planCreate(work, operation);
    case 'update':
      return planUpdate(work, operation);
    case 'move':
      return planMove(work, operation);
    case 'delete':
      return planDelete(work, operation);
    case 'sync':
      return { type: 'sync', path: operation.path, from: operation.from };
    case 'batch_commit':
    case undefined:
    default:
      return { type: 'nothing' };
  }
}

async function planCreate(work: Work, operation: CreateOperation): Promise<Intent> {
  const { reader, notebook, tree } = work;
  const { path, file_id, kind } = operation;
  if (operation.undo_of !== undefined) return planUndo(work, operation.undo_of, path);
  if (kind === 'folder' && folderAt(reader, notebook.id, path) !== undefined) return { type: 'folder', path, file_id };
  requireFree(reader, notebook.id, path);
  const found = tree.state(path);
  if (found?.kind === 'other') throw codexErrors.PATH_LINK(`${path} is a symbolic link or a special file`);
  if (kind === 'folder') {
    if (found?.kind === 'file') throw codexErrors.FILE_EXISTS(`${path} is a file`);
    return { type: 'folder', path, file_id };
  }
  const { staged } = operation;
  if (staged === undefined) throw codexErrors.CONTENT_MISSING(`The content of ${path} is missing`);
  const after = await withProperties(work, path, operation, staged);
  // A create succeeds if the file already exists with the same content.
  const isThere = found?.kind === 'file' && (await readFile(tree, path)).hash === after.hash;
  if (found !== undefined && !isThere)
    throw codexErrors.FILE_EXISTS(`${path} already exists on disk and is not indexed yet`);
  const metadata = holdsProperties(path) ? undefined : operation.metadata;
  return { type: 'write', path, file_id, before: null, before_state: null, after, metadata };
}

async function withProperties(
  work: Work,
  path: NotebookPath,
  { metadata }: CreateOperation,
  staged: StagedContent,
): Promise<StagedContent> {
  if (metadata === undefined || !holdsProperties(path)) return staged;
  return (await editContent(work, path, metadata, staged)).after;
}

function planUndo({ reader, notebook }: Work, undoOf: number, path: NotebookPath): Intent {
  const record = trashOf(reader, undoOf);
  if (record?.notebook_id !== notebook.id) throw nothingInTrash(`The trash has no files from event ${undoOf}`);
  requireFree(reader, notebook.id, path);
  return { type: 'untrash', kind: record.kind, path, undo_of: undoOf };
}

async function planUpdate(work: Work, operation: UpdateOperation): Promise<Intent> {
  const row = fileOf(work, operation);
  const path = row.path as NotebookPath;
  await requireVersion(work, row, operation.base_hash);
  const { id: file_id, hash } = row;
  const { staged, metadata } = operation;
  if (metadata !== undefined && holdsProperties(path)) {
    const { before = { hash, state: stateOf(row) }, after } = await editContent(work, path, metadata, staged);
    return { type: 'write', path, file_id, before: before.hash, before_state: before.state, after };
  }
  if (staged === undefined) return { type: 'note', path, file_id, metadata };
  return { type: 'write', path, file_id, before: hash, before_state: stateOf(row), after: staged, metadata };
}

async function planMove(work: Work, operation: MoveOperation): Promise<Intent> {
  const { reader, notebook, tree } = work;
  const { kind, dest_path: dest } = operation;
  const row = kind === 'file' ? fileOf(work, { ...operation, path: operation.source_path }) : undefined;
  const source = (row?.path ?? operation.source_path) as NotebookPath;
  if (source === dest) return { type: 'nothing' };
  if (kind === 'folder' && isBelow(dest, source)) throw codexErrors.MOVE_INTO_ITSELF(`${dest} is inside ${source}`);
  if (row !== undefined) await requireVersion(work, row, operation.base_hash);
  requireFree(reader, notebook.id, dest, source);
  const found = tree.state(source);
  if (found?.kind !== kind) throw codexErrors.FILE_NOT_FOUND(`${source} does not exist or is not a ${kind}`);
  const target = tree.state(dest);
  if (target !== undefined && target.inode !== found.inode) throw codexErrors.FILE_EXISTS(`${dest} already exists`);
  return { type: 'move', kind, source, dest, inode: found.inode, file_id: row?.id, links: operation.links };
}

async function planDelete(work: Work, operation: DeleteOperation): Promise<Intent> {
  const { reader, notebook, tree } = work;
  if (operation.kind === 'file') {
    const row = fileOf(work, operation);
    await requireVersion(work, row, operation.base_hash);
    return { type: 'trash', kind: 'file', path: row.path as NotebookPath };
  }
  const { path } = operation;
  const isThere = folderAt(reader, notebook.id, path) !== undefined || tree.state(path)?.kind === 'folder';
  if (!isThere) throw codexErrors.FILE_NOT_FOUND(`There is no folder ${path}`);
  return { type: 'trash', kind: 'folder', path };
}

/** Finds the file by id, because it may have been moved since the request. */
function fileOf(
  { reader, notebook }: Work,
  operation: { readonly path: string; readonly file_id?: string | undefined },
): FileRecord {
  const byId = operation.file_id === undefined ? undefined : fileById(reader, operation.file_id);
  const row = byId ?? (operation.file_id === undefined ? fileAt(reader, notebook.id, operation.path) : undefined);
  if (row?.notebook_id === notebook.id) return row;
  throw codexErrors.FILE_NOT_FOUND(`${operation.path} is not in the notebook`);
}

/** Throws unless both the index and the disk have the base version of the operation. */
async function requireVersion({ tree }: Work, row: FileRecord, base: string | undefined): Promise<void> {
  if (base === undefined) return;
  const refuse = (): Error => codexErrors.FILE_CHANGED(`${row.path} has changed since version ${base}`);
  if (row.hash !== base) throw refuse();
  const state = tree.state(row.path);
  if (state === undefined) throw refuse();
  if (!looksSame(state, stateOf(row)) && (await readFile(tree, row.path)).hash !== base) throw refuse();
}

function stateOf(row: FileRecord): DiskState {
  const { size, mode, mtime_ns, ctime_ns, inode } = row;
  return { kind: 'file', size, mode, mtime_ns, ctime_ns, inode };
}

/**
 * Throws if a path is taken, is below a file, or equals another path on systems that ignore case. `except` is the
 * source of a move.
 */
export function requireFree(tx: Transaction, notebookId: number, path: NotebookPath, except?: string): void {
  for (const folder of ancestorsOf(path)) {
    const taken = pathsOfKey(tx, notebookId, pathKey(folder));
    const file = taken.find(({ kind }) => kind === 'file');
    if (file !== undefined) throw codexErrors.FILE_EXISTS(`${file.path} is a file, not a folder`);
    const twin = taken.find((found) => found.path !== folder && found.path !== except);
    if (twin !== undefined && !taken.some((found) => found.path === folder)) {
      throw codexErrors.NAME_COLLIDES(`${folder} differs from ${twin.path} only in case or Unicode normalisation`);
    }
  }
  for (const found of pathsOfKey(tx, notebookId, pathKey(path))) {
    if (found.path === except) continue;
    if (found.path === path) throw codexErrors.FILE_EXISTS(`${path} already exists`);
    throw codexErrors.NAME_COLLIDES(`${path} differs from ${found.path} only in case or Unicode normalisation`);
  }
}

/**
 * Throws if the path of a create is taken. The caller then runs the operations that were folded into the create one by
 * one.
 */
export function requireNew({ reader, notebook, tree, event }: Work, operation: Operation | null): void {
  if (operation !== null && operation.type !== 'create') return;
  const path = event.path as NotebookPath;
  requireFree(reader, notebook.id, path);
  if (tree.state(path) !== undefined) throw codexErrors.FILE_EXISTS(`${path} already exists`);
}

/** The intent of an operation, and new content if planning produced any. */
interface Planned {
  readonly intent: Intent;
  readonly made?: Staged;
}

/** Links in longer files are not rewritten. */
const BYTES_MAX: number = 2 * MEBIBYTE;
const NOTHING: Planned = { intent: { type: 'nothing' } };

/** Rewrites links in the version that is on disk, so that edits made after the request are kept. */
async function planRelink(work: Work, operation: UpdateOperation): Promise<Planned> {
  const { reader, notebook, tree, event } = work;
  const row = fileById(reader, operation.file_id);
  const found = row?.notebook_id === notebook.id ? tree.state(row.path) : undefined;
  if (row === undefined || found?.kind !== 'file' || found.size > BYTES_MAX) return NOTHING;
  const { bytes, hash, state } = await readFile(tree, row.path);
  // Another program has written the file. The first attempt fails, so that its version can be recorded before the
  // retry.
  if (hash !== row.hash && event.retry_count === 0) throw staleRead(row.path);
  if (!isText(bytes)) return NOTHING;
  const resolver = new Resolver(reader, notebook.id);
  const text = relinked(row.path, Buffer.from(bytes).toString('utf8'), operation.relink ?? [], {
    fileOf: (id) => fileById(reader, id),
    resolve: (link) => resolver.resolve(row.path, link),
  });
  if (text === undefined) return NOTHING;
  const made = await stageContent(notebook.path, Buffer.from(text));
  const after = { hash: made.hash, size: made.size };
  const path = row.path as NotebookPath;
  return { made, intent: { type: 'write', path, file_id: row.id, before: hash, before_state: state, after } };
}

export function holdsProperties(path: NotebookPath): boolean {
  return hasFrontMatter(path) || isSidecar(path);
}

export function editOf({ title, description, properties, set, unset }: FileMetadata): PropertyEdit {
  const about = Object.entries({ title, description });
  const given = about.filter(([, value]) => value !== undefined && value !== null);
  const gone = about.filter(([, value]) => value === null).map(([name]) => name);
  return {
    set: { ...properties, ...set, ...Object.fromEntries(given) },
    unset: [...(unset ?? []), ...gone],
    only: properties !== undefined,
  };
}

interface Edited {
  readonly after: StagedContent;
  /** The version on disk that was edited; undefined when the content came with the operation. */
  readonly before: { readonly hash: string; readonly state: DiskState } | undefined;
}

/** Edits the properties in the content of the operation or, if it has none, in the file on disk. Stages the result. */
async function editContent(
  work: Work,
  path: NotebookPath,
  metadata: FileMetadata,
  staged: StagedContent | undefined,
): Promise<Edited> {
  const { tree, content, notebook } = work;
  const found = staged === undefined ? await readFile(tree, path) : undefined;
  const bytes = staged === undefined ? found?.bytes : await readStaged(tree, staged, content);
  const edited = editedBytes(path, bytes ?? new Uint8Array(), editOf(metadata));
  const { hash, size } = await stageContent(notebook.path, edited, false);
  return { after: { hash, size }, before: found };
}

export function editedBytes(path: NotebookPath, bytes: Uint8Array, edit: PropertyEdit): Uint8Array {
  const text = textOf(path, bytes);
  return Buffer.from(hasFrontMatter(path) ? editFrontMatter(text, edit) : editSidecar(path, text, edit));
}

function textOf(path: NotebookPath, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw codexErrors.PROPERTIES_INVALID(`${path} is not UTF-8 text`, { cause: error });
  }
}
