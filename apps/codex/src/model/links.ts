import { posix } from 'node:path';

import { parseNote } from './note/parse-note.ts';
import type { LinkKind, NoteLink } from './note/scan-line.ts';
import { hasNoteEnding, pathKey, withoutNoteEnding } from './path.ts';

/** Returns the relative path from one file to another, for a Markdown link. */
export function relativePath(fromFile: string, target: string): string {
  return posix.relative(posix.dirname(`/${fromFile}`), `/${target}`);
}

/** Resolves a path relative to a file's folder; undefined if it leaves the notebook. */
export function resolvedPath(fromFile: string, relative: string): string | undefined {
  const found = posix.join(posix.dirname(fromFile), relative).replace(/\/$/u, '');
  return found === '.' || /^\.\.(?:\/|$)/u.test(found) ? undefined : found;
}

/** Escapes characters that would end or change the target of a Markdown link; letters stay readable. */
export function encodeTarget(path: string): string {
  return path.replaceAll(/[\s%#?<>()[\]\\"'`|^{}\p{Cc}]|&(?=[a-z\d#]+;)/giu, (character) =>
    Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** Decodes the target of a Markdown link; undefined if the escapes are not valid UTF-8. */
export function decodeTarget(target: string): string | undefined {
  try {
    return decodeURIComponent(target);
  } catch {
    return undefined;
  }
}

/** A file that a link may lead to, because its name matches the last segment of the link. */
export interface LinkTarget {
  readonly id: string;
  readonly path: string;
}

export interface LinkText {
  readonly kind: LinkKind;
  readonly target: string;
}

/**
 * Resolves a link. `[[name]]` is tried as a path from the root of the notebook, then from the folder of the note, then
 * as the end of any path. `[text](path)` is tried from the folder of the note first, then from the root, then as the
 * end of any path. `/path` is from the root only, `./` and `../` from the folder only. `.md` is optional; case and
 * Unicode composition are ignored. If several files match, the one that shares the most folders with the note wins,
 * then the one with the fewest folders, then the first by path.
 */
export function resolveLink<T extends LinkTarget>(
  fromFile: string,
  { kind, target }: LinkText,
  candidates: readonly T[],
): T | undefined {
  const written = target.replaceAll('\\', '/');
  if (written.startsWith('/')) return at(written.slice(1), candidates);
  const fromFolder = resolvedPath(fromFile, written);
  if (/^\.{1,2}(?:\/|$)/u.test(written)) return fromFolder === undefined ? undefined : at(fromFolder, candidates);
  const beside = fromFolder === undefined ? undefined : at(fromFolder, candidates);
  const fromTop = at(written, candidates);
  const exact = isMarkdown(kind) ? (beside ?? fromTop) : (fromTop ?? beside);
  return exact ?? nearest(fromFile, candidates.filter(endsWith(written)));
}

/**
 * Returns whether `target` leads to the file at `path` when it is resolved from the note's folder, as other programs
 * resolve Markdown links.
 */
export function leadsTo(fromFile: string, target: string, path: string): boolean {
  const found = resolvedPath(fromFile, target);
  return found !== undefined && !target.startsWith('/') && isCalled(pathKey(path), pathKey(found));
}

function at<T extends LinkTarget>(path: string, candidates: readonly T[]): T | undefined {
  const named = path.normalize('NFC');
  const key = pathKey(path);
  const alike = candidates.filter((candidate) => isCalled(pathKey(candidate.path), key));
  // Prefers a path with the same case, then a match of the full name over one without its extension.
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

/** Returns whether a target in the note resolves to the wanted file. */
type Means = (link: LinkText) => boolean;

/**
 * Returns a link to `file` in the original style if possible: by name or relative to the note, with or without `.md`.
 * Undefined if no form of the link resolves to the file.
 */
function linkText(fromFile: string, link: NoteLink, file: LinkTarget, means: Means): string | undefined {
  const { kind, target } = link;
  const path = hasNoteEnding(target) ? file.path : withoutNoteEnding(file.path);
  const ways = [...waysOf(fromFile, link, path), path, file.path, `/${file.path}`];
  return ways.find((way) => isWritable(way, link) && means({ kind, target: way }));
}

function waysOf(fromFile: string, { kind, target }: LinkText, path: string): readonly string[] {
  const relative = relativePath(fromFile, path);
  if (target.startsWith('/')) return [`/${path}`];
  if (target.startsWith('./') && !relative.startsWith('../')) return [`./${relative}`];
  if (/^\.{1,2}\//u.test(target) || isMarkdown(kind)) return [relative];
  if (!target.includes('/')) return [path.slice(path.lastIndexOf('/') + 1)];
  return [path];
}

/** Text that needs no quotes in YAML, not even in lists. */
const YAML_PLAIN = /^[\p{L}\p{N}_./][\p{L}\p{N} _./()+-]*$/u;

/**
 * Returns whether the link can contain this target. A wiki link cannot contain its own delimiters, nor the quotes of
 * the property that it is in. A Markdown link can escape any character.
 */
function isWritable(way: string, { kind, quote }: NoteLink): boolean {
  if (isMarkdown(kind)) return true;
  if (/[#^[\]|\\]/u.test(way) || (quote === '"' && way.includes('"'))) return false;
  return quote !== '' || YAML_PLAIN.test(way);
}

/** Escapes a target for the text of the note. Between angle brackets, only a few characters need an escape. */
function writtenTarget(target: string, { kind, quote }: NoteLink, isInAngles: boolean): string {
  if (!isMarkdown(kind)) return quote === "'" ? target.replaceAll("'", "''") : target;
  if (!isInAngles || quote !== undefined) return encodeTarget(target);
  return target.replaceAll(/[<>%#\\\p{Cc}]/gu, (character) => encodeTarget(character));
}

/** A link that must continue to lead to the same file. */
export interface KeptLink extends LinkText {
  readonly file_id: string;
  /** True if the link was relative to the note's folder and must remain so. */
  readonly is_relative: boolean;
}

/** Finds files by id and resolves links, in the current notebook. */
interface LinkWorld {
  readonly fileOf: (id: string) => LinkTarget | undefined;
  /** The file that a link in this note resolves to now. */
  readonly resolve: (link: LinkText) => LinkTarget | undefined;
}

/** Rewrites only the targets of links that no longer lead to their files. Returns undefined if there are none. */
export function relinked(path: string, text: string, kept: readonly KeptLink[], world: LinkWorld): string | undefined {
  const meant = new Map(kept.map((link) => [keyOf(link), link]));
  let rewritten = '';
  let done = 0;
  for (const written of parseNote(text).links) {
    const { kind, target, start, end } = written;
    const link = meant.get(keyOf({ kind, target }));
    const file = link === undefined ? undefined : world.fileOf(link.file_id);
    if (link === undefined || file === undefined || start < done) continue;
    const means: Means = (other) => world.resolve(other)?.id === file.id;
    if (means({ kind, target }) && (!link.is_relative || leadsTo(path, target, file.path))) continue;
    const wanted = linkText(path, written, file, means);
    if (wanted === undefined) continue;
    rewritten += text.slice(done, start) + writtenTarget(wanted, written, text[start - 1] === '<');
    done = end;
  }
  return done === 0 ? undefined : rewritten + text.slice(done);
}

/**
 * Returns whether this is a Markdown link that leads to the file when it is resolved from the note's folder, as other
 * programs resolve it.
 */
export function isRelativeLink(fromFile: string, { kind, target }: LinkText, file: LinkTarget): boolean {
  return isMarkdown(kind) && leadsTo(fromFile, target, file.path);
}

function isMarkdown(kind: LinkText['kind']): boolean {
  return kind === 'markdown' || kind === 'image';
}

function keyOf({ kind, target }: LinkText): string {
  return `${isMarkdown(kind) ? 'm' : 'w'}:${target}`;
}
