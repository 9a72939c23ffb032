import type { ScannedSeries } from '../scanned.ts';
import { parseSeriesPosition } from '../series-position.ts';

/** Parses a series and the position in it: `The Expanse #7`, `Discworld, Book 5`, `Vol. 3`, `RH-07`. */

const WORD = String.raw`(?:book|bk|volume|vol|band|teil|tome|livre|libro|episode|ep|no|nr|number|#)`;
/**
 * Matches `1`, `01`, `0.5`, `1-3`, `4 and 5`, `1a`. Allows at most three digits, so that it does not match years. `3.0`
 * is the version in a title such as `Life 3.0`.
 */
const DECIMAL = String.raw`\d{1,3}(?:\.(?!0\b)\d{1,2})?(?!\.0)`;
const NUMBER = String.raw`${DECIMAL}(?:[a-z](?![a-z])|\s*(?:[-–&]|\band\b)\s*${DECIMAL})?`;

const BARE = new RegExp(`^#?(?<number>${NUMBER})$`, 'iu');
const WORDED = new RegExp(String.raw`^${WORD}\.?\s*#?(?<number>${NUMBER})$`, 'iu');
const NAMED = new RegExp(
  String.raw`^(?<name>.*?[\p{L}\p{N}'")!?.])\s*(?:,\s*|[-–]\s*|\s)${WORD}\.?\s*#?(?<number>${NUMBER})$`,
  'iu',
);
const HASH = new RegExp(String.raw`^(?<name>.+?),?\s*#\s*(?<number>${NUMBER})$`, 'iu');
const PLAIN = new RegExp(String.raw`^(?<name>\p{L}.*?[\p{L}'")!?.])(?:,\s*|\s+-\s+|\s+|-)(?<number>${NUMBER})$`, 'iu');
const SPELLED: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
};
const SPELLED_WORD = new RegExp(String.raw`\b(book|volume|part)\s+(${Object.keys(SPELLED).join('|')})\b`, 'giu');

/** Turns `Book One` into `Book 1`. */
export function digits(text: string): string {
  return text.replaceAll(
    SPELLED_WORD,
    (_all, word: string, number: string) => `${word} ${SPELLED[number.toLowerCase()] ?? number}`,
  );
}

const canonical = (number: string | undefined): string | undefined =>
  number === undefined ? undefined : parseSeriesPosition(number.replace(/\s*(?:&|\band\b)\s*/u, '-'))?.text;

/** Parses a text that consists of a position only. `isWorded` means that it has a word such as "Book", or a "#". */
export function positionOnly(text: string): { readonly sequence: string; readonly isWorded: boolean } | undefined {
  const plain = digits(text.trim());
  const worded = canonical(WORDED.exec(plain)?.groups?.['number']);
  if (worded !== undefined) return { sequence: worded, isWorded: true };
  const bare = canonical(BARE.exec(plain)?.groups?.['number']);
  return bare === undefined ? undefined : { sequence: bare, isWorded: plain.startsWith('#') };
}

/** Parses a name followed by a position. `isCertain` means that the number has a word or mark such as "Book" or "#". */
export function seriesWithPosition(
  text: string,
): { readonly name: string; readonly sequence: string; readonly isCertain: boolean } | undefined {
  const plain = digits(text.trim());
  for (const [pattern, isCertain] of [
    [NAMED, true],
    [HASH, true],
    [PLAIN, false],
  ] as const) {
    const { name, number } = pattern.exec(plain)?.groups ?? {};
    const sequence = canonical(number);
    if (name !== undefined && sequence !== undefined) return { name: trimmed(name), sequence, isCertain };
  }
  return undefined;
}

function trimmed(name: string): string {
  return name
    .replace(/[\s,;:-]+$/u, '')
    .replace(/\s+series$/iu, '')
    .trim();
}

/** Parses a series tag: `Name #1; Other #2`, or one name whose position is in another tag (`part`). */
export function seriesList(text: string, part: string | undefined): readonly ScannedSeries[] {
  const list: ScannedSeries[] = [];
  for (const piece of text.split(/\s*;\s*/u).filter((one) => one !== '')) {
    const found = seriesWithPosition(piece);
    const isNumbered = found !== undefined && (found.isCertain || part === undefined);
    if (isNumbered) list.push({ name: found.name, sequence: found.sequence });
    else list.push(withPosition(trimmed(piece), list.length === 0 ? part : undefined));
  }
  return list.filter(({ name }) => name !== '');
}

function withPosition(name: string, part: string | undefined): ScannedSeries {
  const sequence = part === undefined ? undefined : (positionOnly(part)?.sequence ?? canonical(part));
  return sequence === undefined ? { name } : { name, sequence };
}
