import { failpoint } from '@holdfast/base';

import { codexErrors } from '../../model/errors.ts';
import { type DiskState, type MoveIntent, looksSame } from '../../model/operation.ts';
import { parentOf, pathKey } from '../../model/path.ts';
import { fileById, moveFile, moveFilesBelow, putState } from '../../store/files.ts';
import { moveFolders } from '../../store/folders.ts';
import { addLinkRewrite } from '../../store/links.ts';
import type { Transaction } from '../../store/open.ts';
import { type Handler, recordFolders, recordMoved, recordRename, type Work, lookAgain } from './handler.ts';

interface Moved {
  readonly state: DiskState | undefined;
  /** True if another program has changed the source or the destination, so that both need a sync. */
  readonly looks: boolean;
}

export const move: Handler<MoveIntent, Moved> = { apply, finish, undo };

async function apply(work: Work, intent: MoveIntent): Promise<Moved> {
  const { tree } = work;
  const source = tree.state(intent.source);
  const dest = tree.state(intent.dest);
  const isAtSource = source?.inode === intent.inode;
  const isAtDest = dest?.inode === intent.inode;
  if (!isAtSource && !isAtDest) {
    // An earlier attempt moved the file, and another program has replaced it since.
    if (source === undefined && dest !== undefined) return { state: dest, looks: true };
    throw codexErrors.FILE_NOT_FOUND(`${intent.source} was replaced or removed before it was moved`);
  }
  if (isAtSource && !isAtDest) {
    if (dest !== undefined) throw codexErrors.FILE_EXISTS(`${intent.dest} already exists`);
    tree.makeFolders(parentOf(intent.dest) ?? '');
    failpoint('codex.move.folders');
    await place(work, intent);
  }
  if (intent.kind === 'file') await leaveSource(work, intent);
  failpoint('codex.move.moved');
  const isTheirs = !isAtSource && source !== undefined;
  // If an interrupted attempt has already linked the file to its destination, the link has changed the ctime. In this
  // case, the ctime is not compared.
  const isKnown = isAtDest ? isAsKnown(work, intent, dest, dest?.ctime_ns) : isAsKnown(work, intent, source);
  return { state: tree.state(intent.dest), looks: isTheirs || !isKnown };
}

/** Returns false if another program changed the file since it was indexed. */
function isAsKnown({ reader }: Work, { file_id }: MoveIntent, found: DiskState | undefined, ctime?: string): boolean {
  const row = file_id === undefined ? undefined : fileById(reader, file_id);
  if (row === undefined || found === undefined) return true;
  return looksSame(found, { ...row, kind: 'file', ctime_ns: ctime ?? row.ctime_ns });
}

/**
 * Renames a folder, or links a file to its new path before unlinking the old one, so that no other file is replaced.
 */
async function place({ tree }: Work, { kind, source, dest }: MoveIntent): Promise<void> {
  const isSpelling = pathKey(source) === pathKey(dest);
  if (kind === 'folder' || isSpelling) {
    tree.rename(source, dest);
    failpoint('codex.move.renamed');
    return;
  }
  try {
    tree.link(source, dest);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw codexErrors.FILE_EXISTS(`${dest} already exists`, { cause: error });
  }
  failpoint('codex.move.linked');
  await tree.sync();
  failpoint('codex.move.synced');
}

async function leaveSource({ tree }: Work, { source, dest, inode }: MoveIntent): Promise<void> {
  if (tree.state(source)?.inode === inode && tree.state(dest)?.inode === inode && source !== dest) tree.remove(source);
}

function finish(...[tx, work, intent, done, now]: Parameters<typeof move.finish>): ReturnType<typeof move.finish> {
  const { notebook, event } = work;
  const { source, dest } = intent;
  recordFolders(tx, work, dest, now);
  let count = 1;
  if (intent.kind === 'folder') {
    count = moveFilesBelow(tx, notebook.id, source, dest);
    moveFolders(tx, notebook.id, source, dest);
    if (count > 0) recordRename(tx, work, source, dest, now);
  } else if (intent.file_id !== undefined) {
    moveFile(tx, intent.file_id, dest, event.id, now);
    recordMoved(tx, work, intent.file_id, source, now);
    if (done.state !== undefined && !done.looks) putState(tx, intent.file_id, done.state);
    recordRename(tx, work, source, dest, now);
  }
  if (done.looks) lookAgain(tx, work, [source, dest], now);
  return {
    path: dest,
    file_id: intent.file_id,
    file_count: intent.kind === 'folder' ? count : undefined,
    links_correlation_id: planLinkRewrites(tx, work, intent),
  };
}

/** Runs in the same commit as the move, so that links are rewritten even after a crash. */
function planLinkRewrites(
  tx: Transaction,
  { event, notebook, settings, newCorrelationId }: Work,
  intent: MoveIntent,
): string | undefined {
  if (intent.links === 'keep' || !settings.rewrite_links) return undefined;
  const { kind, source, dest } = intent;
  const correlation_id = newCorrelationId();
  const done = { event_id: event.id, notebook_id: notebook.id, kind, source, dest };
  addLinkRewrite(tx, { ...done, correlation_id, author: event.author });
  return correlation_id;
}

/** Removes only the new link, because the file keeps its old name until the end of the move. */
async function undo({ tree }: Work, intent: MoveIntent): Promise<void> {
  const isTwice = tree.state(intent.source)?.inode === intent.inode && tree.state(intent.dest)?.inode === intent.inode;
  if (intent.kind === 'file' && isTwice) tree.remove(intent.dest);
}
