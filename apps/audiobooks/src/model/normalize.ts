import isbn3 from 'isbn3';

/**
 * Returns the form used for comparison. Unifies compatibility characters, drops case and accents, and replaces
 * everything but letters and digits with single spaces. `Café` and `CAFE` become equal.
 */
export function normalizeText(text: string): string {
  const folded = fold(text)
    .replaceAll(/['’ʼ]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  // Two different titles without letters and digits must not become equal.
  return folded === '' ? fold(text).trim() : folded;
}

/** Like `normalizeText`, but also joins initials, so that `J.R.R. Tolkien` equals `J. R. R. Tolkien`. */
export function normalizeName(name: string): string {
  return normalizeText(name).replaceAll(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '');
}

const ARTICLE = /^(?:the|an?) (?=.)/u;
const DIGITS = /\d+/gu;
const DIGITS_MAX = 10;

/**
 * Ends every sort key. In a stored key, a colon follows the sort key, and a colon sorts after spaces and digits.
 * Without this ending, "Dune 2" would sort before "Dune".
 */
const END = '  ';

/**
 * Returns a key that sorts titles in the right order when compared byte by byte. Ignores a leading article and orders
 * numbers by value.
 */
export function sortKey(text: string): string {
  return naturalNumbers(normalizeText(text).replace(ARTICLE, '')) + END;
}

/** Returns a key that sorts people by last name. */
export function nameSortKey(name: string): string {
  const comma = name.indexOf(',');
  if (comma > 0) return sortKey(`${name.slice(0, comma)} ${name.slice(comma + 1)}`);
  const words = name.trim().split(/\s+/u);
  const suffix = /^(?:jr|sr|[ivx]+|phd|md)\.?$/iu;
  let last = words.length - 1;
  while (last > 0 && suffix.test(words[last] ?? '')) last -= 1;
  let first = last;
  while (first > 1 && PARTICLES.has((words[first - 1] ?? '').toLowerCase())) first -= 1;
  return naturalNumbers(normalizeText([...words.slice(first), ...words.slice(0, first)].join(' '))) + END;
}

const PARTICLES: ReadonlySet<string> = new Set(['van', 'von', 'de', 'der', 'den', 'du', 'la', 'le', 'ter', 'zu']);

function naturalNumbers(text: string): string {
  return text.replaceAll(DIGITS, (digits) => {
    const significant = digits.replace(/^0+(?=\d)/u, '');
    return significant.length > DIGITS_MAX ? significant : significant.padStart(DIGITS_MAX, '0');
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

function fold(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/gu, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKC');
}

interface Isbn {
  readonly isbn10: string | null;
  readonly isbn13: string | null;
  /** The ISBN as given, if it is not valid. */
  readonly invalid: string | null;
}

/**
 * Returns the long and the short form of an ISBN, in upper case without hyphens. An ISBN that begins with 979 has no
 * short form.
 */
export function parseIsbn(text: string | null | undefined): Isbn {
  const given = text?.trim() ?? '';
  if (given === '') return { isbn10: null, isbn13: null, invalid: null };
  const parsed = isbn3.parse(given.replace(/^isbn(?:-1[03])?:?\s*/iu, '').toUpperCase());
  if (parsed === null || !parsed.isValid) return { isbn10: null, isbn13: null, invalid: given };
  return { isbn10: parsed.isbn10 ?? null, isbn13: parsed.isbn13 ?? null, invalid: null };
}
