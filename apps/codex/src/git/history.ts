import {
  isAncestor,
  type LogRange,
  readContentDiff,
  readDiff,
  readLog,
  resolveCommit,
} from '../adapters/git-history.ts';
import { CommitTree } from '../adapters/git-tree.ts';
import { codexErrors } from '../model/errors.ts';
import type { NotebookRepository } from './notebook-repository.ts';
import { type HistoryEntry, parseLog } from '../model/git/log.ts';
import { FOLDER_MODE } from '../model/git/tree-entry.ts';

/** Maximum number of commits to follow a renamed file. */
const FOLLOWED_MAX = 10_000;

/** Commits of the notebook, newest first. */
export async function notebookHistory(opened: NotebookRepository, range: LogRange): Promise<HistoryEntry[]> {
  const { repository } = opened;
  return parseLog(await readLog(repository, await checked(opened, range)), repository.prefix);
}

/** Commits of one file, through its renames, newest first. Each entry names the path at that time. */
export async function fileHistory(opened: NotebookRepository, path: string, range: LogRange): Promise<HistoryEntry[]> {
  const { repository } = opened;
  return parseLog(await readLog(repository, await checked(opened, range), path), repository.prefix);
}

export interface FileVersion {
  readonly sha: string;
  readonly path: string;
  readonly content: Uint8Array;
}

/** A file at a commit, under the path that it had then. */
export async function fileVersion(opened: NotebookRepository, path: string, commit: string): Promise<FileVersion> {
  const sha = await resolveCommit(opened.repository, commit);
  const then = await nameAt(opened, path, sha);
  const entry = then === undefined ? undefined : await entryAt(opened, then, sha);
  const blob = entry === undefined ? undefined : await opened.objects.read(entry);
  if (then === undefined || blob?.type !== 'blob') {
    throw codexErrors.FILE_NOT_FOUND(`${path} was not in the notebook at ${sha.slice(0, 10)}`, {
      hint: 'The history of the file lists the commits that have it.',
    });
  }
  return { sha, path: then, content: blob.content };
}

/** The diff of a commit in a file, or the diff between two commits. */
export async function fileDiff(opened: NotebookRepository, path: string, to: string, from?: string): Promise<string> {
  const { repository } = opened;
  const toSha = await resolveCommit(repository, to);
  const fromSha = from === undefined ? await parentOf(opened, toSha) : await resolveCommit(repository, from);
  const toPath = (await nameAt(opened, path, toSha)) ?? path;
  if (fromSha === undefined) return readDiff(repository, undefined, { commit: toSha, path: toPath });
  const fromPath = (await nameAt(opened, path, fromSha)) ?? toPath;
  const sides = [
    { commit: fromSha, path: fromPath },
    { commit: toSha, path: toPath },
  ] as const;
  // If another file has the old path by now, git must not take it for the same file.
  const isTaken = fromPath !== toPath && (await entryAt(opened, fromPath, toSha)) !== undefined;
  return isTaken ? readContentDiff(repository, ...sides) : readDiff(repository, ...sides);
}

async function checked(opened: NotebookRepository, { limit, before }: LogRange): Promise<LogRange> {
  return { limit, before: before === undefined ? undefined : await resolveCommit(opened.repository, before) };
}

async function parentOf({ objects }: NotebookRepository, sha: string): Promise<string | undefined> {
  const commit = await objects.read(sha);
  return /\nparent ([0-9a-f]+)/.exec(commit?.content.toString('latin1') ?? '')?.[1];
}

async function entryAt(opened: NotebookRepository, path: string, sha: string): Promise<string | undefined> {
  const tree = await CommitTree.open(opened.trees, opened.repository, sha);
  const entry = await tree.entry(path);
  return entry === undefined || entry.mode === FOLDER_MODE ? undefined : entry.oid;
}

/**
 * The path of a file at a commit. A path that exists in the commit counts only if the file was not renamed since:
 * another file may have had it then.
 */
async function nameAt(opened: NotebookRepository, path: string, sha: string): Promise<string | undefined> {
  const history = await fileHistory(opened, path, { limit: FOLLOWED_MAX });
  let name = path;
  for (const entry of history) {
    const from = entry.changes.find((change) => change.path === name)?.from ?? undefined;
    if (from === undefined) continue;
    // Only a rename after the requested commit counts.
    if (entry.sha === sha || !(await isAncestor(opened.repository, sha, entry.sha))) break;
    name = from;
  }
  return (await entryAt(opened, name, sha)) === undefined ? undefined : name;
}
