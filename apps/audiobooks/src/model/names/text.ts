import { normalizeText } from '../normalize.ts';

/** Substitutes for characters that file systems reject. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/[\ua789\uff1a\u2236]/gu, ':'],
  [/\uff1f/gu, '?'],
  [/[\u2215\u29f8\uff0f]/gu, '/'],
  [/[\u2018\u2019\u02bc]/gu, "'"],
  [/[\u201c\u201d]/gu, '"'],
  [/\s*[\u25cf\u2022\u00b7|]\s*/gu, ' - '],
  [/\s+[\u2013\u2014\u2015]\s+/gu, ' - '],
  [/\u2014/gu, ' - '],
  [/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, ''],
];

/** Restores spaces, unifies dashes and quotes, and removes invisible characters. */
export function readableName(name: string): string {
  let text = name.normalize('NFC');
  for (const [pattern, replacement] of LOOK_ALIKES) text = text.replace(pattern, replacement);
  const hasSpaces = /\s/u.test(text);
  if (!hasSpaces && (text.match(/_/gu) ?? []).length >= 2) text = text.replaceAll('_', ' ');
  else if (!hasSpaces && (text.match(/\.(?=\D|\d{3,})/gu) ?? []).length >= 2) text = dotsToSpaces(text);
  // `Title_ Subtitle` stands for `Title: Subtitle` where colons are not allowed.
  return text
    .replaceAll(/(?<=\p{L}|\d)_\s/gu, ': ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** `Drew.Hayes.-.Fred.01.-.Title`: replaces dots between words, but not in `1.5`. */
function dotsToSpaces(text: string): string {
  return text.replaceAll(/(?<!\d)\.|\.(?!\d)|(?<=\d{2})\.(?=\d{2,}(?:\D|$))/gu, ' ');
}

/** Drops case, accents, the leading article and everything but letters and digits. */
export function comparable(text: string): string {
  return normalizeText(text.replaceAll('&', ' and '))
    .replace(/^(?:the|an?|der|die|das|les?|la) (?=.)/u, '')
    .replaceAll(' ', '');
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts `2` before `10`; the order of equal names is stable. */
export function naturalOrder(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0);
}
