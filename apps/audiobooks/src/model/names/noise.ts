/** Parts of names that describe the files, not the book. */

/** Container folders. */
const FOLDER = new RegExp(
  `^(?:${[
    'audio ?books?',
    'hörbücher',
    'hörbuch',
    'audio',
    'books?',
    'library',
    'media',
    'mp3s?',
    'm4b',
    'm4a',
    'flac',
    'opus',
    'ogg',
    'files?',
    'unabridged',
    'complete',
    'new',
    'incoming',
    'unsorted',
    'done',
    'downloads?',
    String.raw`\d{2,3} ?k(?:b|bps|bit)?(?:/s)?`,
    String.raw`(?:mp3|m4b)? ?\[?\(?\d{2,3} ?k(?:b|bps)?\)?\]?`,
  ].join('|')})$`,
  'iu',
);

/** Shelf folders; only the first folder of a path can be one. */
const SHELF =
  /^(?:fiction|non[- ]?fiction|sci[- ]?fi|science fiction|fantasy|mystery|thrillers?|crime|romance|horror|history|biograph(?:y|ies)|kids|children'?s?|young adult|ya|classics|english|german|deutsch|french|français|spanish|self[- ]?help|business|science|humou?r|poetry|litrpg|series|authors?)$/iu;

export const isNoiseFolder = (name: string): boolean => FOLDER.test(name.trim());
export const isShelf = (name: string): boolean => SHELF.test(name.trim());

/** Technical details in brackets or between spaces, for example `64kbps`, `05.34.35`, `115mb`, `mp3`, `by chap`. */
const TECHNICAL = [
  String.raw`\d{2,3}\s?k(?:b|bps|bit|hz)?(?:/s)?`,
  String.raw`\d{1,3}[.:]\d{2}[.:]\d{2}`,
  String.raw`\d{1,2}\s?h(?:rs?|ours?)?(?:\s?\d{1,2}\s?m(?:ins?)?)?`,
  String.raw`\d+(?:\.\d+)?\s?(?:mb|gb|mib|gib|kb)`,
  'mp3(?:s)?',
  'm4[ab]',
  'flac',
  'opus',
  'ogg',
  'aac',
  'v[0-9]',
  'vbr',
  'cbr',
  'by chap(?:ter)?s?',
  'chapteri[sz]ed',
  'audio ?book',
  'hörbuch',
  'retail',
  'repack',
  'mono',
  'stereo',
  String.raw`\d{2}(?:\.\d)?\s?khz`,
  'tts',
].join('|');
const TECHNICAL_ONLY = new RegExp(String.raw`^(?:(?:${TECHNICAL})[\s,;/-]*)+$`, 'iu');
/** Outside brackets, only words that no title contains. */
const LOOSE = new RegExp(
  String.raw`\s(?:\d{2,3}\s?k(?:b|bps|bit)(?:/s)?|\d{2,3}k|\d{1,3}[.:]\d{2}[.:]\d{2}|by chap(?:ter)?s?|vbr|cbr|mp3|m4b)(?=\s|$)`,
  'giu',
);

export const isTechnical = (text: string): boolean => TECHNICAL_ONLY.test(text.trim());

/** Removes technical words outside brackets. */
export function withoutTechnical(text: string): { readonly text: string; readonly hadAny: boolean } {
  const rest = text.replaceAll(LOOSE, ' ').replaceAll(/\s+/gu, ' ').trim();
  return { text: rest, hadAny: rest !== text.trim() };
}
