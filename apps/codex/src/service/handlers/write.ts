import { failpoint } from '@holdfast/base';

import { inlineOf, readStaged, TEMPORARY_FOLDER } from '../../adapters/blobs.ts';
import { hashFile, writeNewFile } from '../../adapters/file-content.ts';
import { codexErrors } from '../../model/errors.ts';
import { type DiskState, type WriteIntent, looksSame } from '../../model/operation.ts';
import { factsOf, type NoteFacts } from '../../model/note/facts.ts';
import { conflictPath, type NotebookPath, parentOf } from '../../model/path.ts';
import { putMetadata } from '../../store/files.ts';
import { type Handler, type Recorded, recordFile, type Work, lookAgain, recordedFile } from './handler.ts';

interface Written {
  /** Path of the new content: a conflict path if another program had created a file at the requested path. */
  readonly path: NotebookPath;
  readonly state: DiskState;
  /** The other program's version that this write replaced. */
  readonly theirs: Omit<Recorded, 'id'> | undefined;
  readonly unchanged: boolean;
  readonly inline: Uint8Array | undefined;
  readonly facts: NoteFacts;
}

export const write: Handler<WriteIntent, Written> = { apply, finish, undo };

async function apply(work: Work, intent: WriteIntent): Promise<Written> {
  const { tree, event } = work;
  const beside = conflictPath(intent.path, event.id);
  if (intent.before === null && (await hashOf(work, beside, null, null)) === intent.after.hash) {
    return written(work, intent, beside, false);
  }
  const onDisk = await hashOf(work, intent.path, intent.before, intent.before_state);
  if (onDisk === intent.after.hash) {
    cleanUp(work);
    return written(work, intent, intent.path, intent.before === intent.after.hash);
  }
  const bytes = await writeTemporary(work, intent);
  failpoint('codex.write.temporary');
  tree.makeFolders(parentOf(intent.path) ?? '');
  failpoint('codex.write.folders');
  // Checks again, because another program may have written in the meantime.
  if ((await hashOf(work, intent.path, intent.before, intent.before_state)) !== onDisk) return apply(work, intent);
  const made = tree.state(temporaryOf(event.id));
  const isForeign = onDisk !== undefined && onDisk !== intent.before;
  let target = intent.path;
  if (isForeign && intent.before === null) target = beside;
  else if (isForeign) keepTheirs(work, intent.path, beside);
  if (onDisk === undefined || target === beside) {
    if (!tryLink(work, intent.path, target)) return apply(work, intent);
    failpoint('codex.write.linked');
  } else {
    tree.rename(temporaryOf(event.id), target);
    failpoint('codex.write.renamed');
  }
  cleanUp(work);
  return written(work, intent, target, false, { bytes, state: made });
}

function temporaryOf(eventId: number): string {
  return `${TEMPORARY_FOLDER}/event-${eventId}`;
}

async function writeTemporary({ tree, event, content }: Work, intent: WriteIntent): Promise<Uint8Array> {
  const bytes = await readStaged(tree, intent.after, content);
  tree.makeFolders(TEMPORARY_FOLDER);
  const found = intent.before === null ? undefined : tree.state(intent.path);
  const mode = found?.mode ?? intent.before_state?.mode;
  const path = temporaryOf(event.id);
  await writeNewFile(tree, path, bytes, mode).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // An interrupted attempt left this file, possibly incomplete.
    tree.remove(path);
    return writeNewFile(tree, path, bytes, mode);
  });
  return bytes;
}

/** Keeps the other program's file under a conflict path before our version replaces it. */
function keepTheirs(work: Work, path: NotebookPath, beside: NotebookPath): void {
  const { tree, event } = work;
  try {
    tree.link(path, beside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // An earlier attempt has kept a different version under this path.
    if (tree.state(beside)?.inode !== tree.state(path)?.inode) {
      const next = conflictPath(beside, event.id);
      // The name already has the maximum length.
      if (next === beside) throw codexErrors.FILE_EXISTS(`${beside} already exists`, { cause: error });
      return keepTheirs(work, path, next);
    }
  }
  failpoint('codex.write.kept');
}

/** Returns false if another program has created the file in the meantime; the write then starts over. */
function tryLink({ tree, event }: Work, path: NotebookPath, target: NotebookPath): boolean {
  try {
    tree.link(temporaryOf(event.id), target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (target === conflictPath(path, event.id)) throw codexErrors.FILE_EXISTS(`${target} already exists`);
    return false;
  }
}

function cleanUp({ tree, event }: Work): void {
  tree.remove(temporaryOf(event.id));
  failpoint('codex.write.cleaned');
}

async function written(
  work: Work,
  intent: WriteIntent,
  path: NotebookPath,
  unchanged: boolean,
  made?: { readonly bytes: Uint8Array; readonly state: DiskState | undefined },
): Promise<Written> {
  const found = work.tree.state(path);
  if (found === undefined) throw codexErrors.FILE_CHANGED(`${path} disappeared while it was being written`);
  // If another program has replaced the file since then, records the state that we wrote. The watcher reports the newer
  // state.
  const state = made?.state === undefined || isSameFile(found, made.state) ? found : made.state;
  const beside = conflictPath(intent.path, work.event.id);
  const hasTheirs = intent.before !== null && work.tree.state(beside)?.kind === 'file';
  const theirs = hasTheirs ? await recordedFile(work, beside) : undefined;
  const bytes = made?.bytes ?? (await readStaged(work.tree, intent.after, work.content));
  return { path, state, unchanged, theirs, inline: inlineOf(bytes), facts: factsOf(path, bytes) };
}

/** Compares every attribute that a rename preserves. */
function isSameFile(left: DiskState, right: DiskState): boolean {
  return looksSame({ ...left, ctime_ns: right.ctime_ns }, right);
}

/**
 * Returns the hash of a file; undefined if there is no file. Does not read a file that is unchanged since it had the
 * hash `before`.
 */
async function hashOf(
  { tree }: Work,
  path: string,
  before: string | null,
  beforeState: DiskState | null,
): Promise<string | undefined> {
  const state = tree.state(path);
  if (state === undefined) return undefined;
  if (state.kind === 'folder') throw codexErrors.FILE_EXISTS(`${path} is a folder`);
  if (state.kind === 'other') throw codexErrors.PATH_LINK(`${path} is not a regular file`);
  if (before !== null && beforeState !== null && looksSame(state, beforeState)) return before;
  return (await hashFile(tree, path)).hash;
}

function finish(...[tx, work, intent, done, now]: Parameters<typeof write.finish>): ReturnType<typeof write.finish> {
  const { path, state, theirs, unchanged, inline, facts } = done;
  const { hash } = intent.after;
  const isElsewhere = path !== intent.path;
  recordFile(tx, work, { id: intent.file_id, path, hash, state, inline, facts }, now);
  if (intent.metadata !== undefined) putMetadata(tx, intent.file_id, intent.metadata, work.event.id, now);
  if (theirs !== undefined) recordFile(tx, work, { ...theirs, id: work.newId() }, now);
  if (isElsewhere) lookAgain(tx, work, [intent.path], now);
  const conflict = theirs?.path ?? (isElsewhere ? path : undefined);
  return { file_id: intent.file_id, path, hash, unchanged: unchanged || undefined, conflict_path: conflict };
}

async function undo(work: Work): Promise<void> {
  cleanUp(work);
}
