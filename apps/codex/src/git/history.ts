import { KIBIBYTE, MEBIBYTE } from '@holdfast/base';

import {
  isAncestor,
  type LogRange,
  readChanges,
  readContentDiff,
  readDiff,
  readHeader,
  readLog,
  readPatch,
  resolveCommit,
} from '../adapters/git-history.ts';
import { CommitTree } from '../adapters/git-objects.ts';
import { codexErrors } from '../model/errors.ts';
import { FOLDER_MODE, type HistoryChange, type HistoryEntry, parseChanges, parseLog } from '../model/git.ts';
import type { NotebookRepository } from './notebook-repository.ts';

/** Maximum number of commits to search when following a renamed file. */
const FOLLOWED_MAX = 10_000;

/** Returns the commits of the notebook, newest first. */
export async function notebookHistory(opened: NotebookRepository, range: LogRange): Promise<HistoryEntry[]> {
  const { repository } = opened;
  return parseLog(await readLog(repository, await checked(opened, range)), repository.prefix);
}

/** Returns the commits of one file, through its renames, newest first. Each entry names the path at that time. */
export async function fileHistory(opened: NotebookRepository, path: string, range: LogRange): Promise<HistoryEntry[]> {
  const { repository } = opened;
  return parseLog(await readLog(repository, await checked(opened, range), path), repository.prefix);
}

interface FileVersion {
  readonly sha: string;
  readonly path: string;
  readonly content: Uint8Array;
}

/** Returns a file at a commit, under the path that it had then. */
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

/** Returns the changes that one commit made to a file, or the diff of the file between two commits. */
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
  // If another file now has the old path, git must not treat it as the renamed file.
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
 * Returns the path that a file had at a commit; `path` is its current path. If the file was renamed since then, its
 * current path may have belonged to another file at that commit.
 */
async function nameAt(opened: NotebookRepository, path: string, sha: string): Promise<string | undefined> {
  const history = await fileHistory(opened, path, { limit: FOLLOWED_MAX });
  let name = path;
  for (const entry of history) {
    const from = entry.changes.find((change) => change.path === name)?.from ?? undefined;
    if (from === undefined) continue;
    // Only renames after the requested commit matter.
    if (entry.sha === sha || !(await isAncestor(opened.repository, sha, entry.sha))) break;
    name = from;
  }
  return (await entryAt(opened, name, sha)) === undefined ? undefined : name;
}

/** Limits: bytes of all diffs together, characters of each diff, and number of files. */
const PATCH_BYTES_MAX: number = MEBIBYTE;
const FILE_CHARACTERS_MAX: number = 128 * KIBIBYTE;
const FILES_MAX = 500;

interface FileChange extends HistoryChange {
  /** Null when all diffs together are too long. */
  readonly diff: string | null;
  readonly is_binary: boolean;
  /** True if `diff` is only the beginning. */
  readonly is_cut: boolean;
}

export interface CommitView extends Omit<HistoryEntry, 'changes'> {
  readonly parent: string | null;
  readonly file_count: number;
  readonly files: readonly FileChange[];
}

/** Returns a commit with its changes to each file; for a merge, relative to its first parent. */
export async function commitView(opened: NotebookRepository, name: string): Promise<CommitView> {
  const { repository, objects } = opened;
  const sha = await resolveCommit(repository, name);
  const body = (await objects.read(sha))?.content.toString('latin1') ?? '';
  const parent = /\nparent ([0-9a-f]+)/.exec(body.slice(0, body.indexOf('\n\n')))?.[1];
  const [header, names, patch] = await Promise.all([
    readHeader(repository, sha),
    readChanges(repository, parent, sha),
    readPatch(repository, parent, sha, PATCH_BYTES_MAX),
  ]);
  const [entry] = parseLog(header, repository.prefix);
  if (entry === undefined) throw codexErrors.FILE_NOT_FOUND(`The history has no commit ${sha}`);
  const changes = parseChanges(names, repository.prefix);
  const parts = splitPatch(patch.text);
  const heads = [...parts.keys()];
  const last = patch.isCut ? heads.at(-1) : undefined;
  const { changes: _none, ...about } = entry;
  return {
    ...about,
    parent: parent ?? null,
    file_count: changes.length,
    files: changes.slice(0, FILES_MAX).map((change) => {
      const head = patchHead(repository.prefix + (change.from ?? change.path), repository.prefix + change.path);
      return fileChange(change, parts.get(head), head === last);
    }),
  };
}

function fileChange(change: HistoryChange, diff: string | undefined, isLastOfCut: boolean): FileChange {
  if (diff === undefined) return { ...change, diff: null, is_binary: false, is_cut: true };
  const isLong = diff.length > FILE_CHARACTERS_MAX;
  return {
    ...change,
    diff: isLong ? diff.slice(0, FILE_CHARACTERS_MAX) : diff,
    is_binary: /^Binary files .* differ$/mu.test(diff),
    is_cut: isLong || isLastOfCut,
  };
}

/** Splits the output of `git diff` by file. The last part may be cut. */
function splitPatch(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  // No content line matches, because content lines start with a space, plus, minus or backslash.
  for (const part of text.split(/^(?=diff --git )/mu)) {
    const end = part.indexOf('\n');
    const head = end < 0 ? part : part.slice(0, end);
    if (head.startsWith('diff --git ')) parts.set(head, (parts.get(head) ?? '') + part);
  }
  return parts;
}

/** Returns the first line of a file's part of the patch. `from` differs from `path` if the file was renamed. */
function patchHead(from: string, path: string): string {
  return `diff --git ${shown(`a/${from}`)} ${shown(`b/${path}`)}`;
}

/** Quotes a name only when needed, as git does. Names in a notebook have no control characters. */
function shown(name: string): string {
  return /["\\]/u.test(name) ? `"${name.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"` : name;
}
