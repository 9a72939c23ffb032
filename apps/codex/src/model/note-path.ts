import { nameOf, type NotebookPath, notebookPath } from './path.ts';

const STEM_BYTES_MAX = 120;
const UNTITLED = 'Untitled';

/** File name for a title, without characters that some systems do not allow. */
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
  const checked = notebookPath(path);
  return /[^/]\.[^./]+$/u.test(checked) ? checked : notebookPath(`${checked}.md`);
}

/** The default title: the file name without its extension. */
export function titleOf(path: string): string {
  return nameOf(path as NotebookPath).replace(/(?<=.)\.[^.]+$/u, '');
}

/** The n-th choice for a name that is taken: `a.md`, `a-1.md`, `a-2.md`. */
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
