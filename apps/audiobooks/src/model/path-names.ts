/**
 * Names that every file system takes.
 *
 * What comes from tags is scrubbed variable by variable, before it meets the template: so nothing in a title can make a
 * folder, leave the library or name a device.
 */

/** The longest name of one file or folder, in bytes, on every common file system. */
export const NAME_MAX = 255;

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\s*:\s+/gu, ' - '],
  [/[:]/gu, '-'],
  [/\s*[/\\]\s*/gu, '-'],
  [/"/gu, "'"],
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  [/[<>|?*\u0000-\u001f\u007f-\u009f]/gu, ''],
  // Invisible marks, among them those that turn the direction of text and so hide what a name ends with.
  [/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu, ''],
];

/** The value of a variable as a part of a name. May be empty. */
export function scrub(value: string): string {
  let text = value.toWellFormed().normalize('NFC');
  for (const [pattern, replacement] of REPLACED) text = text.replace(pattern, replacement);
  return text
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[.\s]+/u, '')
    .trim();
}

const RESERVED = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/iu;

/** One whole component of a path: no dots or spaces at its ends, no device, not too long. Empty if nothing is left. */
export function safeName(name: string, extension = ''): string {
  const trimmed = name.replace(/^[.\s]+/u, '').replace(/[.\s]+$/u, '');
  if (trimmed === '') return '';
  const harmless = RESERVED.test(`${trimmed}${extension}`) ? `_${trimmed}` : trimmed;
  return `${shorten(harmless, NAME_MAX - byteLength(extension))}${extension}`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Cut between characters as people see them, so that no half letter remains. */
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

/** Two paths with the same key are one file on some file system: by case, or by how accents are written. */
export function pathKey(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFC');
}
