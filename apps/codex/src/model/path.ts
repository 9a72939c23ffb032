import { codexErrors } from './errors.ts';

declare const checked: unique symbol;
/** A checked relative path: safe on every system (`notebookPath`), or as found on disk (`observedPath`). */
export type NotebookPath = string & { readonly [checked]: true };

const PATH_BYTES_MAX = 4_000;
const NAME_BYTES_MAX = 255;
const DEPTH_MAX = 64;
/** Control characters: C0, DEL and C1. */
const CONTROL = /\p{Cc}/u;
/** Characters that are special on Windows. With `:`, a path can name an NTFS stream, as in `.git::$INDEX_ALLOCATION`. */
const RESERVED_CHARACTER = /[<>:"|?*\\]/u;
const RESERVED_NAME = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu;
/** `git~1` is the short name of `.git` on Windows. */
const OWN_NAMES: ReadonlySet<string> = new Set(['.git', '.codex', 'git~1']);

/** Returns the path in Unicode form NFC; throws PATH_INVALID with the broken rule. */
export function notebookPath(input: string): NotebookPath {
  const problem = pathProblem(input);
  if (problem !== undefined) throw codexErrors.PATH_INVALID(`${JSON.stringify(input)} ${problem}`);
  return input.normalize('NFC') as NotebookPath;
}

export function pathProblem(input: string): string | undefined {
  if (input === '') return 'is empty';
  if (input.startsWith('/')) return 'is absolute; paths are relative to the notebook';
  if (CONTROL.test(input)) return 'has a control character';
  if (!input.isWellFormed()) return 'is not valid Unicode';
  const path = input.normalize('NFC');
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `is longer than ${PATH_BYTES_MAX} bytes`;
  const names = path.split('/');
  if (names.length > DEPTH_MAX) return `has more than ${DEPTH_MAX} levels`;
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'has an empty name between slashes';
  if (name === '.' || name === '..') return `has the name ${name}`;
  if (isOwnName(name)) return `has the name ${name}, which belongs to git or to the notebook itself`;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return `has a name longer than ${NAME_BYTES_MAX} bytes`;
  if (RESERVED_CHARACTER.test(name)) return 'has one of the characters < > : " | ? * \\';
  if (RESERVED_NAME.test(name)) return `has the name ${name}, which is a device on some systems`;
  if (/[. ]$/u.test(name) || name.startsWith(' '))
    return 'has a name that begins or ends with a space or ends with a dot';
  return undefined;
}

/** Some file systems ignore invisible characters and case: `.g‌it` is `.git` there. */
function isOwnName(name: string): boolean {
  const seen = name
    .replaceAll(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/u, '');
  return OWN_NAMES.has(seen);
}

/**
 * Accepts a path that another program created. Keeps its spelling, because only that spelling opens the file. Returns a
 * reason instead if the notebook ignores the path.
 */
export function observedPath(relative: string): { readonly path: NotebookPath } | { readonly reason: string } {
  if (relative === '' || relative.startsWith('/')) return { reason: 'is not inside the notebook' };
  // Node decodes a name that is not UTF-8 with replacement characters, and such a name cannot be opened.
  if (relative.includes('\ufffd') || !relative.isWellFormed()) return { reason: 'has a name that is not valid UTF-8' };
  if (CONTROL.test(relative)) return { reason: 'has a control character in its name' };
  if (Buffer.byteLength(relative) > PATH_BYTES_MAX) return { reason: 'has a path that is too long' };
  for (const name of relative.split('/')) {
    if (name === '' || name === '.' || name === '..') return { reason: 'is not a plain relative path' };
    if (isOwnName(name)) return { reason: 'belongs to git or to the notebook itself' };
    if (Buffer.byteLength(name) > NAME_BYTES_MAX) return { reason: 'has a name that is too long' };
  }
  return { path: relative as NotebookPath };
}

/** Returns a key that is equal for paths that are the same file on systems that ignore case or normalise Unicode. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

export function parentOf(path: NotebookPath): NotebookPath | undefined {
  const end = path.lastIndexOf('/');
  return end < 0 ? undefined : (path.slice(0, end) as NotebookPath);
}

export function nameOf(path: NotebookPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the parent folders, outermost first: a/b/c gives a and a/b. */
export function ancestorsOf<Path extends string>(path: Path): readonly Path[] {
  const found: Path[] = [];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) found.push(path.slice(0, end) as Path);
  return found;
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Returns the range of all paths below a folder, for an index lookup. `0` is the character after `/`. */
export function rangeBelow(folder: string): { readonly from: string; readonly to: string } {
  return { from: `${folder}/`, to: `${folder}0` };
}

/** Returns the path after `folder` was moved to `target`. */
export function movedPath(path: NotebookPath, folder: NotebookPath, target: NotebookPath): NotebookPath {
  return (path === folder ? target : target + path.slice(folder.length)) as NotebookPath;
}

/**
 * Returns a path in the same folder for the second version of a file after a conflict. `mark` is the event, or the
 * start of that version's blob id, so every attempt gets the same path.
 */
export function conflictPath(path: NotebookPath, mark: number | string): NotebookPath {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const end = `.conflict-${mark}${ending}`;
  let stem = dot > 0 ? name.slice(0, dot) : name;
  while (Buffer.byteLength(stem + end) > NAME_BYTES_MAX) stem = Array.from(stem).slice(0, -1).join('');
  const folder = parentOf(path);
  return `${folder === undefined ? '' : `${folder}/`}${stem}${end}` as NotebookPath;
}

const CONFLICT = /\.conflict-(?:\d+|[0-9a-f]{8})(?=\.[^./]*$|$)/u;

/**
 * Returns the path of the original file if this path is a conflict copy; undefined if the name has no conflict mark.
 */
export function originalOf(path: string): string | undefined {
  return CONFLICT.test(path) ? path.replace(CONFLICT, '') : undefined;
}

const STEM_BYTES_MAX = 120;
const UNTITLED = 'Untitled';

/** Returns a file name for a title, without characters that some systems do not allow. */
export function nameFromTitle(title: string): string {
  let stem = title
    .normalize('NFC')
    .replaceAll(/[<>:"|?*\\/#^[\]\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[ .]+|[ .]+$/gu, '');
  while (Buffer.byteLength(stem) > STEM_BYTES_MAX) stem = Array.from(stem).slice(0, -1).join('').trimEnd();
  return stem === '' ? UNTITLED : stem;
}

/** Adds `.md` to a path without extension. */
export function notePath(path: string): NotebookPath {
  const named = notebookPath(path);
  return /[^/]\.[^./]+$/u.test(named) ? named : notebookPath(`${named}.md`);
}

/** Returns the default title: the file name without its extension. */
export function titleOf(path: string): string {
  return nameOf(path as NotebookPath).replace(/(?<=.)\.[^.]+$/u, '');
}

/** Returns the n-th choice for a name that is taken: `a.md`, `a-1.md`, `a-2.md`. */
export function numbered(path: NotebookPath, count: number): NotebookPath {
  if (count === 0) return path;
  const end = path.lastIndexOf('.');
  const at = end > path.lastIndexOf('/') + 1 ? end : path.length;
  return notebookPath(`${path.slice(0, at)}-${count}${path.slice(at)}`);
}

/** Extensions that a link to a note may omit. */
const ENDING = /\.(?:md|markdown)$/iu;

export function hasNoteEnding(path: string): boolean {
  return ENDING.test(path);
}

export function withoutNoteEnding(path: string): string {
  return path.replace(ENDING, '');
}
