import { dirname } from 'node:path';
import { failpoint } from '@holdfast/base';
import { folderInside, inside, removeEmptyFolders } from '../adapters/library-files.ts';
import { type DiskView, diskView } from '../adapters/list-folder.ts';
import {
  exists,
  hashAt,
  moveFile,
  placeFile,
  removeFile,
  replaceFile,
  signatureIfThere,
} from '../adapters/move-file.ts';
import { formatOfName } from '../media/probe.ts';
import type { BookFacts, MovedFile, OperationContext, OrganiseEngine, PlannedMove, Step } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import { withoutExtension } from '../model/names/file-name.ts';
import { OWN_FOLDER, pathKey, workFolder } from '../model/path-names.ts';
import { parseTemplate } from '../model/templates.ts';
import type { FileSignature } from '../model/scanned.ts';
import { type BookTarget, bookTarget, elementaryMoves, folderOf, joined, nameOf, planMoves } from './plan.ts';

/** Moves books and their sidecars to the paths that a template gives them. */
export function createOrganiseEngine(): OrganiseEngine {
  return {
    async plan({ root, template, books }) {
      const parsed = parseTemplate(template);
      const disk = diskView(root);
      const targets: BookTarget[] = [];
      for await (const book of books) targets.push(bookTarget(parsed, book, await sidecarsOf(disk, book)));
      return planMoves(targets, disk);
    },
    move: (request) => runMoves(request),
    recover: ({ root, context, isCommitted }) => recoverMoves(root, context, isCommitted),
  };
}

/**
 * Returns the sidecars that move with a book. If no other book uses the folder, these are all other files in it. If
 * another book does, these are only the files named after one of the book's files (`Dune.cue` for `Dune.m4b`).
 */
async function sidecarsOf(disk: DiskView, book: BookFacts): Promise<readonly string[]> {
  const own = new Set(book.files.map(({ path }) => path));
  const folders = new Set(book.files.map(({ path }) => folderOf(path)));
  if (book.folder !== '') folders.add(book.folder);
  const found: string[] = [];
  let isAlone = book.folder !== '';
  for (const folder of folders) {
    if (folder !== book.folder && !folder.startsWith(`${book.folder}/`)) continue;
    for (const [name, kind] of await disk.entries(folder)) {
      const path = joined(folder, name);
      if (kind !== 'file' || own.has(path) || name.startsWith(OWN_FOLDER)) continue;
      if (formatOfName(name) === undefined) found.push(path);
      else isAlone = false;
    }
    for (const [name, kind] of await disk.entries(folder)) {
      const below = joined(folder, name);
      if (kind === 'folder' && !folders.has(below) && (await hasSound(disk, below))) isAlone = false;
    }
  }
  if (isAlone) return found;
  const stems = new Set([...own].map((path) => withoutExtension(nameOf(path))));
  return found.filter((path) => stems.has(withoutExtension(nameOf(path))));
}

async function hasSound(disk: DiskView, folder: string): Promise<boolean> {
  for (const [name, kind] of await disk.entries(folder)) {
    if (kind === 'file' && formatOfName(name) !== undefined) return true;
  }
  return false;
}

/**
 * Moves files so that after a crash and recovery, all of them are at the old paths or all at the new ones.
 *
 * Records every step in the operation's journal first. Then gives the files their new names, which is reversible, and
 * commits the new paths in one transaction. Then takes the irreversible steps: removes old names and discarded files,
 * and removes empty folders. Files keep their old names until the commit, because listeners open the files by the paths
 * in the database. Recovery examines the files to see which steps were taken. It identifies each file by the
 * inode in the journal.
 */

interface MovesRequest {
  readonly root: string;
  readonly moves: readonly PlannedMove[];
  readonly context: OperationContext;
  readonly committed: (moved: readonly MovedFile[]) => Promise<void>;
  /** Files to delete after the commit. */
  readonly discard?: readonly string[];
}

interface MoveData extends Record<string, unknown> {
  readonly batch: string;
  readonly from: string;
  readonly to: string;
  readonly device: string;
  readonly inode: string;
  readonly completes?: PlannedMove;
}

export async function runMoves({ root, moves, context, committed, discard = [] }: MovesRequest): Promise<void> {
  const { journal, operationId } = context;
  const batch = String((await journal.steps()).length);
  const steps = await plannedSteps(root, moves, operationId, batch);
  const discards = discard.map((path) => ({ kind: 'discard', data: { batch, path } }));
  const seqs = await journal.plan([...steps.map((data) => ({ kind: 'move', data })), ...discards]);
  failpoint('audiobooks.moves.planned');
  try {
    const moved: MovedFile[] = [];
    for (const [index, data] of steps.entries()) {
      context.signal.throwIfAborted();
      await takeStep(root, data, steps, unfinishedName(inside(root, data.to), operationId, seqs[index] ?? 0));
      failpoint('audiobooks.moves.moved');
      const signature = await signatureIfThere(inside(root, data.to));
      if (data.completes !== undefined && signature !== undefined) moved.push({ ...data.completes, signature });
    }
    failpoint('audiobooks.moves.all_moved');
    await committed(moved);
  } catch (error) {
    await takeBack(root, steps, operationId, seqs);
    await journal.mark(seqs, 'undone');
    throw error;
  }
  failpoint('audiobooks.moves.committed');
  await finish(root, steps, discard, operationId, seqs);
  await journal.mark(seqs, 'done');
}

async function plannedSteps(
  root: string,
  moves: readonly PlannedMove[],
  operationId: string,
  batch: string,
): Promise<readonly MoveData[]> {
  const signatures = new Map<string, { readonly device: string; readonly inode: string }>();
  for (const { from, to } of moves) {
    inside(root, to);
    const signature = await signatureIfThere(inside(root, from));
    if (signature === undefined) throw audiobookErrors.FILE_CHANGED(`${from} no longer exists.`);
    signatures.set(from, signature);
  }
  const steps: MoveData[] = [];
  for (const move of elementaryMoves(moves, operationId)) {
    const { device = '', inode = '' } = signatures.get(move.completes?.from ?? move.from) ?? {};
    steps.push({ batch, device, inode, ...move });
  }
  return steps;
}

const unfinishedName = (path: string, operationId: string, seq: number): string =>
  `${dirname(path)}/.holdfast-${operationId}-${seq}.unfinished`;

async function takeStep(
  root: string,
  { from, to }: MoveData,
  steps: readonly MoveData[],
  unfinished: string,
): Promise<void> {
  const [source, target] = [inside(root, from), await folderInside(root, to)];
  const now = await signatureIfThere(target);
  const old = now === undefined ? undefined : await signatureIfThere(source);
  // True if an earlier step has already given the file at the target its new name. Then its old name can be replaced.
  const isFree = steps.some((step) => pathKey(step.from) === pathKey(to) && isAt(step, now));
  if (!isFree || now?.device !== old?.device) await placeFile(source, target, unfinished);
  else if (now?.inode !== old?.inode) await replaceFile(source, target);
  else {
    // Only the case of the name changes, and the file system ignores case, so the old name must be removed first.
    await removeFile(target);
    await placeFile(source, target, unfinished);
  }
}

const isAt = ({ device, inode }: MoveData, found: FileSignature | undefined): boolean =>
  found !== undefined && found.device === device && found.inode === inode;

/** Undoes the steps in reverse order. */
async function takeBack(
  root: string,
  steps: readonly MoveData[],
  operationId: string,
  seqs: readonly number[],
): Promise<void> {
  for (const [index, step] of [...steps.entries()].reverse()) {
    const seq = seqs[index] ?? 0;
    const [from, to] = [inside(root, step.from), inside(root, step.to)];
    await removeFile(unfinishedName(to, operationId, seq));
    const [old, now] = [await signatureIfThere(from), await signatureIfThere(to)];
    const isOurs = isAt(step, now);
    if (old === undefined && isOurs) {
      await folderInside(root, step.from);
      await moveFile(to, from, unfinishedName(from, operationId, seq));
    } else if (old !== undefined && now !== undefined && (isOurs || (await isCopy(from, to)))) {
      await removeFile(to);
    }
    await removeEmptyFolders(root, dirname(step.to));
  }
  await removeEmptyFolders(root, workFolder(operationId));
  const between = new Set(steps.filter(({ completes }) => completes === undefined).map(({ to }) => to));
  const lost: string[] = [];
  for (const { from } of steps) if (!between.has(from) && !(await exists(inside(root, from)))) lost.push(from);
  if (lost.length > 0)
    throw audiobookErrors.MOVE_UNRECOVERABLE(`Found at neither the old nor the new path: ${lost.join(', ')}`);
}

/**
 * Returns whether one file is a copy of the other. Copies exist only after a move to another file system; on one file
 * system, files with equal content are unrelated.
 */
async function isCopy(from: string, to: string): Promise<boolean> {
  const [old, now] = [await signatureIfThere(from), await signatureIfThere(to)];
  if (old === undefined || now === undefined || old.device === now.device) return false;
  return (await hashAt(from)) === (await hashAt(to));
}

/** Takes the irreversible steps after the commit; skips steps that were already taken. */
async function finish(
  root: string,
  steps: readonly MoveData[],
  discard: readonly string[],
  operationId: string,
  seqs: readonly number[],
): Promise<void> {
  const taken = new Set(steps.filter(({ completes }) => completes !== undefined).map(({ to }) => pathKey(to)));
  for (const [index, step] of steps.entries()) {
    const [from, to] = [inside(root, step.from), inside(root, step.to)];
    // The commit came after every step. So if a file exists at both paths, it was copied, or its old name has not been
    // removed yet.
    const isOld = !taken.has(pathKey(step.from)) && (await exists(from)) && (await exists(to));
    if (isOld && (await isSameOrCopy(from, to))) await removeFile(from);
    await removeFile(unfinishedName(to, operationId, seqs[index] ?? 0));
  }
  for (const path of discard) await removeFile(inside(root, path));
  failpoint('audiobooks.moves.cleaning');
  for (const path of [...steps.map(({ from }) => from), ...discard]) await removeEmptyFolders(root, dirname(path));
}

async function isSameOrCopy(from: string, to: string): Promise<boolean> {
  const [left, right] = [await signatureIfThere(from), await signatureIfThere(to)];
  return (left?.device === right?.device && left?.inode === right?.inode) || isCopy(from, to);
}

/** Recovers moves after a crash: finishes them if they are committed, and undoes them otherwise. */
export async function recoverMoves(
  root: string,
  { journal, operationId }: OperationContext,
  isCommitted: (moves: readonly PlannedMove[]) => Promise<boolean>,
): Promise<'finished' | 'undone'> {
  let outcome: 'finished' | 'undone' = 'finished';
  const batches = byBatch((await journal.steps()).filter(({ state }) => state === 'planned'));
  for (const open of batches) {
    const moves = open.filter(({ kind }) => kind === 'move');
    const steps = moves.map(({ data }) => data as MoveData);
    const seqs = moves.map(({ seq }) => seq);
    const discards = open.filter(({ kind }) => kind === 'discard').map(({ data }) => String(data['path']));
    const planned = steps.flatMap(({ completes }) => (completes === undefined ? [] : [completes]));
    const isKnown = await isCommitted(planned);
    if (isKnown) await finish(root, steps, discards, operationId, seqs);
    else await takeBack(root, steps, operationId, seqs);
    if (!isKnown) outcome = 'undone';
    await journal.mark(
      open.map(({ seq }) => seq),
      isKnown ? 'done' : 'undone',
    );
  }
  await removeEmptyFolders(root, workFolder(operationId));
  return outcome;
}

function byBatch(steps: readonly Step[]): readonly (readonly Step[])[] {
  const batches = new Map<string, Step[]>();
  for (const step of steps.filter(({ kind }) => kind === 'move' || kind === 'discard')) {
    const batch = String(step.data['batch']);
    batches.set(batch, [...(batches.get(batch) ?? []), step]);
  }
  return [...batches.values()];
}
