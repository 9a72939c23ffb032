import { KIBIBYTE, MEBIBYTE } from '@holdfast/base';

import { resolveCommit } from '../adapters/git-history.ts';
import { readChanges, readHeader, readPatch } from '../adapters/git-patch.ts';
import { codexErrors } from '../model/errors.ts';
import { type HistoryChange, type HistoryEntry, parseChanges, parseLog } from '../model/git/log.ts';
import type { NotebookRepository } from './notebook-repository.ts';

/** Limits for all diffs, for each diff, and for the number of files. */
const PATCH_BYTES_MAX: number = MEBIBYTE;
const FILE_CHARACTERS_MAX: number = 128 * KIBIBYTE;
const FILES_MAX = 500;

interface FileChange extends HistoryChange {
  /** Null when all diffs together are too long. */
  readonly diff: string | null;
  readonly is_binary: boolean;
  /** True if only the beginning is shown. */
  readonly is_cut: boolean;
}

export interface CommitView extends Omit<HistoryEntry, 'changes'> {
  readonly parent: string | null;
  readonly file_count: number;
  readonly files: readonly FileChange[];
}

/** One commit with its changes to each file; for a merge, relative to its first parent. */
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
  // Content lines start with a space, a plus, a minus or a backslash, so they never match.
  for (const part of text.split(/^(?=diff --git )/mu)) {
    const end = part.indexOf('\n');
    const head = end < 0 ? part : part.slice(0, end);
    if (head.startsWith('diff --git ')) parts.set(head, (parts.get(head) ?? '') + part);
  }
  return parts;
}

/** The first line of a part for a file, or for a renamed file. */
function patchHead(from: string, path: string): string {
  return `diff --git ${shown(`a/${from}`)} ${shown(`b/${path}`)}`;
}

/** Quotes a name only when needed, as git does. Names in a notebook have no control characters. */
function shown(name: string): string {
  return /["\\]/u.test(name) ? `"${name.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"` : name;
}
