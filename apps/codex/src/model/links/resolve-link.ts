import { resolvedPath } from '../link-path.ts';
import type { LinkKind } from '../note/parse-note.ts';
import { pathKey } from '../path.ts';
import { withoutNoteEnding } from '../note-path.ts';

/** A candidate: its name matches the last segment of the link. */
export interface LinkTarget {
  readonly id: string;
  readonly path: string;
}

export interface LinkText {
  readonly kind: LinkKind;
  readonly target: string;
}

/**
 * Resolves a link. `[[name]]`: a path from the root of the notebook, then from the folder of the note, then any file
 * with that name; a path in it must be the end of the file's path. `[text](path)`: from the folder of the note, then
 * from the root, then by name. `/path` is from the root only, `./` and `../` from the folder only. `.md` is optional;
 * case and composition are ignored. Of several files, the nearest wins: the one that shares most folders with the note,
 * then the one with the fewest folders, then the first by path.
 */
export function resolveLink<T extends LinkTarget>(
  fromFile: string,
  { kind, target }: LinkText,
  candidates: readonly T[],
): T | undefined {
  const written = target.replaceAll('\\', '/');
  const isMarkdown = kind === 'markdown' || kind === 'image';
  if (written.startsWith('/')) return at(written.slice(1), candidates);
  const fromFolder = resolvedPath(fromFile, written);
  if (/^\.{1,2}(?:\/|$)/u.test(written)) return fromFolder === undefined ? undefined : at(fromFolder, candidates);
  const beside = fromFolder === undefined ? undefined : at(fromFolder, candidates);
  const fromTop = at(written, candidates);
  const exact = isMarkdown ? (beside ?? fromTop) : (fromTop ?? beside);
  return exact ?? nearest(fromFile, candidates.filter(endsWith(written)));
}

/** Returns whether a target leads to the file from the folder of the note, as other programs resolve Markdown. */
export function leadsTo(fromFile: string, target: string, path: string): boolean {
  const found = resolvedPath(fromFile, target);
  return found !== undefined && !target.startsWith('/') && isCalled(pathKey(path), pathKey(found));
}

function at<T extends LinkTarget>(path: string, candidates: readonly T[]): T | undefined {
  const named = path.normalize('NFC');
  const key = pathKey(path);
  const alike = candidates.filter((candidate) => isCalled(pathKey(candidate.path), key));
  // Prefers the same case, then a full name over one without extension.
  return (
    alike.find((candidate) => candidate.path === named) ??
    alike.find((candidate) => withoutNoteEnding(candidate.path) === named) ??
    alike.find((candidate) => pathKey(candidate.path) === key) ??
    alike[0]
  );
}

function endsWith(path: string): (candidate: LinkTarget) => boolean {
  const key = pathKey(path);
  return ({ path: whole }) => {
    const own = pathKey(whole);
    return isCalled(own, key) || own.endsWith(`/${key}`) || withoutNoteEnding(own).endsWith(`/${key}`);
  };
}

function isCalled(pathOrKey: string, wanted: string): boolean {
  return pathOrKey === wanted || withoutNoteEnding(pathOrKey) === wanted;
}

function nearest<T extends LinkTarget>(fromFile: string, candidates: readonly T[]): T | undefined {
  if (candidates.length < 2) return candidates[0];
  return candidates.reduce((best, other) => (isNearer(fromFile, other.path, best.path) ? other : best));
}

function isNearer(fromFile: string, left: string, right: string): boolean {
  const shared = sharedFolders(fromFile, left) - sharedFolders(fromFile, right);
  if (shared !== 0) return shared > 0;
  const depth = left.split('/').length - right.split('/').length;
  if (depth !== 0) return depth < 0;
  return left < right;
}

function sharedFolders(one: string, other: string): number {
  const [left, right] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}
