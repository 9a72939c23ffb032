import {
  FilesOnDisk,
  type KeptOut,
  keptOutPaths,
  readAttributes,
  type StagedBlobs,
  storeConverted,
} from '../adapters/git-content.ts';
import { CommitTree } from '../adapters/git-objects.ts';
import { looksSame } from '../model/operation.ts';
import { filterOf, isConverted, mayConvert, type PendingRow, type TreeEntry } from '../model/git.ts';
import { isBelow } from '../model/path.ts';
import { knownFile } from '../store/watch-index.ts';
import type { BatchContext, NotebookRepository } from './notebook-repository.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { type BatchPlan, type FoldedChange, foldPending, planBatch, untilOverwritten } from './plan-batch.ts';

export interface PrepareInput extends BatchContext {
  readonly waiting: readonly PendingRow[];
  readonly blobs: StagedBlobs;
  readonly tip: string | undefined;
  readonly lastOwn: string | undefined;
  /** Index entries that the user has staged, by path relative to the repository. */
  readonly staged: ReadonlyMap<string, unknown>;
}

export interface PreparedBatch extends BatchPlan {
  /** The pending rows that the plan covers, starting with the first pending row. */
  readonly covered: readonly PendingRow[];
}

/**
 * Collects the input for a batch and plans the batch. A batch ends before a row that replaces another writer's version,
 * and before a row that would hide a rename.
 */
export async function prepareBatch(input: PrepareInput): Promise<PreparedBatch> {
  const { opened, waiting, blobs, staged } = input;
  const maxFileBytes = input.settings.git_max_file_bytes;
  const { prefix } = opened.repository;
  const tree = await CommitTree.open(opened.trees, opened.repository, input.tip);
  const { changes, rows } = await foldPending(untilOverwritten(waiting), tree);
  const next = waiting[rows.length];
  const entries = new Map<string, TreeEntry | undefined>();
  const yielder = new EventLoopYielder();
  for (const { path, result } of changes) {
    entries.set(path, await tree.entry(path));
    if (result !== undefined && 'written' in result && result.written.size <= maxFileBytes) {
      await blobs.prepare(result.written);
    }
    await yielder.pause();
  }
  const keptOut = await newKeptOut(opened, changes, entries);
  const stored = await asStored(opened, changes, blobs, maxFileBytes);
  const overtaken = await findOvertaken(input, tree, changes, entries);
  const plan = planBatch({
    rows,
    changes,
    tipEntry: (path) => entries.get(path),
    blobOf: (row) => {
      const converted = stored.converted.get(row);
      return { oid: converted ?? blobs.id(row), isStored: converted !== undefined };
    },
    refusal(path, written) {
      if (written !== undefined && written.size > maxFileBytes) {
        return `larger than ${maxFileBytes} bytes, the limit for files in git`;
      }
      const filter = stored.filters.get(path);
      if (filter !== undefined) return `uses the git filter ${filter}, which Holdfast never runs; commit it yourself`;
      if (keptOut.nested.has(prefix + path)) return 'in another git repository inside the notebook: commit it there';
      return keptOut.ignored.has(prefix + path) ? 'ignored by .gitignore' : undefined;
    },
    // Leaves a staged path to the user, unless the next row overwrites or moves this version. In that case, codex must
    // commit the version now.
    isStagedByUser: (path) => staged.has(prefix + path) && !isTouched(next, path),
    isOvertaken: (path) => overtaken.has(path),
    fallbackAuthor: opened.user,
  });
  return { ...plan, covered: rows };
}

function isTouched(row: PendingRow | undefined, path: string): boolean {
  return [row?.path, row?.fromPath].some((one) => one !== undefined && (path === one || isBelow(path, one)));
}

/** Applies `.gitattributes`: finds files that git stores converted, and files with a filter such as Git LFS. */
async function asStored(
  { repository, isAutoCrlf }: NotebookRepository,
  changes: readonly FoldedChange[],
  blobs: StagedBlobs,
  maxFileBytes: number,
): Promise<{ converted: ReadonlyMap<PendingRow, string>; filters: ReadonlyMap<string, string> }> {
  const converted = new Map<PendingRow, string>();
  const filters = new Map<string, string>();
  const written = changes.flatMap(({ path, result }) =>
    result !== undefined && 'written' in result ? [{ path, row: result.written }] : [],
  );
  const inRepository = ({ path }: { readonly path: string }): string => repository.prefix + path;
  const attributes = await readAttributes(repository, written.map(inRepository));
  const yielder = new EventLoopYielder();
  for (const one of written.filter(({ row }) => row.size <= maxFileBytes)) {
    await yielder.pause();
    const said = attributes.get(inRepository(one));
    if (said === undefined) continue;
    const filter = filterOf(said);
    if (filter !== undefined) filters.set(one.path, filter);
    else if (mayConvert(said, isAutoCrlf)) {
      const bytes = await blobs.content(one.row);
      if (!isConverted(said, bytes, isAutoCrlf)) continue;
      converted.set(one.row, await storeConverted(repository, inRepository(one), bytes));
    }
  }
  return { converted, filters };
}

/** Checks only new files: as with `git add`, ignore rules do not apply to tracked files. */
async function newKeptOut(
  { repository }: NotebookRepository,
  changes: readonly FoldedChange[],
  entries: ReadonlyMap<string, TreeEntry | undefined>,
): Promise<KeptOut> {
  const fresh = changes.filter(({ path, result }) => result !== undefined && entries.get(path) === undefined);
  return keptOutPaths(
    repository,
    fresh.map(({ path }) => repository.prefix + path),
  );
}

/**
 * Returns paths whose pending change is outdated: another program has committed or checked out a different state, and
 * that state is on disk. A state that the branch already had at our last batch is not newer than the pending change. In
 * that case, the pending change is committed first, and the watcher queues the state on disk.
 */
async function findOvertaken(
  input: PrepareInput,
  tree: CommitTree,
  changes: readonly FoldedChange[],
  entries: ReadonlyMap<string, TreeEntry | undefined>,
): Promise<ReadonlySet<string>> {
  const { opened, lastOwn, lastSeen } = input;
  const overtaken = new Set<string>();
  const before: CommitTree[] = [];
  for (const commit of new Set([lastOwn, lastSeen])) {
    before.push(await CommitTree.open(opened.trees, opened.repository, commit));
  }
  if (before.some(({ id }) => id === tree.id)) return overtaken;
  using disk = new FilesOnDisk(opened.repository);
  const yielder = new EventLoopYielder();
  for (const change of changes) {
    await yielder.pause();
    const oid = entries.get(change.path)?.oid;
    const earlier = await Promise.all(before.map((one) => one.entry(change.path)));
    if (earlier.some((entry) => entry?.oid === oid) || isAsWritten(input, disk, change)) continue;
    if (disk.entry(change.path)?.oid === oid) overtaken.add(change.path);
  }
  return overtaken;
}

/** Returns true if the file on disk is still the version that codex wrote, judged by size and times. */
function isAsWritten({ store, notebookId }: PrepareInput, disk: FilesOnDisk, { path, result }: FoldedChange): boolean {
  if (result === undefined || !('written' in result)) return false;
  const known = knownFile(store.reader, notebookId, path);
  if (known === undefined || known.hash !== result.written.hash) return false;
  const state = disk.state(path);
  return state !== undefined && looksSame(state, known);
}
