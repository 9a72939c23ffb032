/**
 * Creates file names that every file system accepts. Each value from a tag is cleaned before it is inserted into the
 * template, so no title can create a folder, lead out of the library or name a device.
 */

/** Longest file name on common file systems, in bytes. */
export const NAME_MAX = 255;

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\s*:\s+/gu, ' - '],
  [/[:]/gu, '-'],
  [/\s*[/\\]\s*/gu, '-'],
  [/"/gu, "'"],
  // oxlint-disable-next-line no-control-regex -- removes control characters
  [/[<>|?*\u0000-\u001f\u007f-\u009f]/gu, ''],
  // Invisible characters, including direction marks, which can disguise a file's extension.
  [/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu, ''],
];

/** Cleans a value for use in a file name; may return an empty string. */
export function scrub(value: string): string {
  let text = value.toWellFormed().normalize('NFC');
  for (const [pattern, replacement] of REPLACED) text = text.replace(pattern, replacement);
  return text
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[.\s]+/u, '')
    .trim();
}

const RESERVED = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/iu;

/**
 * Returns a valid path component: no leading or trailing dots or spaces, no device name, not too long. May be empty.
 */
export function safeName(name: string, extension = ''): string {
  const trimmed = name.replace(/^[.\s]+/u, '').replace(/[.\s]+$/u, '');
  if (trimmed === '') return '';
  const harmless = RESERVED.test(`${trimmed}${extension}`) ? `_${trimmed}` : trimmed;
  return `${shorten(harmless, NAME_MAX - byteLength(extension))}${extension}`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Shortens a text without cutting inside a grapheme. */
function shorten(text: string, max: number): string {
  if (byteLength(text) <= max) return text;
  let kept = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    length += byteLength(segment);
    if (length > max) break;
    kept += segment;
  }
  return kept.replace(/[.\s]+$/u, '');
}

/**
 * Returns a key for comparing paths. Paths with equal keys name the same file on file systems that ignore case or
 * normalise Unicode.
 */
export function pathKey(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFC');
}

/** Holdfast's own folder in a library. It is on the same file system as the books, and scans skip it. */
export const OWN_FOLDER = '.holdfast';

/** Folder with an operation's unfinished files. */
export const workFolder = (operationId: string): string => `${OWN_FOLDER}/work/${operationId}`;

/** Folder with the originals of merged, transcoded and tagged files until the undo period ends. */
export const originalsFolder = (operationId: string): string => `${OWN_FOLDER}/originals/${operationId}`;

export function originalPath(operationId: string, index: number, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const stem = name.replace(/\.[^.]*$/u, '');
  return `${originalsFolder(operationId)}/${safeName(`${index}-${stem}`, name.slice(stem.length))}`;
}
