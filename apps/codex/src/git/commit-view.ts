import { KIBIBYTE, MEBIBYTE } from '@holdfast/base';

import { resolveCommit } from '../adapters/git-history.ts';
import { readChanges, readHeader, readPatch } from '../adapters/git-patch.ts';
import { codexErrors } from '../model/errors.ts';
import { type HistoryChange, type HistoryEntry, parseChanges, parseLog } from '../model/git/log.ts';
import type { NotebookRepository } from './notebook-repository.ts';

/** Together, for each file, and how many files: nobody reads more at once, and a page must be able to show it. */
const PATCH_BYTES_MAX: number = MEBIBYTE;
const FILE_CHARACTERS_MAX: number = 128 * KIBIBYTE;
const FILES_MAX = 500;

interface FileChange extends HistoryChange {
  /** Null when it was too much to show all of them. */
  readonly diff: string | null;
  readonly is_binary: boolean;
  /** Whether the diff is only its beginning. */
  readonly is_cut: boolean;
}

export interface CommitView extends Omit<HistoryEntry, 'changes'> {
  readonly parent: string | null;
  readonly file_count: number;
  readonly files: readonly FileChange[];
}

/** One commit of the notebook with what it changed in each file; of a merge, what it brought to its first parent. */
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

/** The part of `git diff` about each file, by the first line of that part. What was cut off at the end is left as it is. */
function splitPatch(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  // Lines of content begin with a space, a plus, a minus or a backslash, so this is never one of them.
  for (const part of text.split(/^(?=diff --git )/mu)) {
    const end = part.indexOf('\n');
    const head = end < 0 ? part : part.slice(0, end);
    if (head.startsWith('diff --git ')) parts.set(head, (parts.get(head) ?? '') + part);
  }
  return parts;
}

/** How that first line names a file, or a file and where it was before. */
function patchHead(from: string, path: string): string {
  return `diff --git ${shown(`a/${from}`)} ${shown(`b/${path}`)}`;
}

/** As git writes a name: quoted only when it must be. Names with control characters are no names of a notebook. */
function shown(name: string): string {
  return /["\\]/u.test(name) ? `"${name.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"` : name;
}
