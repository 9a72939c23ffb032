import isbn3 from 'isbn3';

export interface Isbn {
  readonly isbn10: string | null;
  readonly isbn13: string | null;
  /** The given value if it is not a valid ISBN. */
  readonly invalid: string | null;
}

/** Returns both forms of an ISBN, in upper case without hyphens. ISBNs that begin with 979 have no short form. */
export function parseIsbn(text: string | null | undefined): Isbn {
  const given = text?.trim() ?? '';
  if (given === '') return { isbn10: null, isbn13: null, invalid: null };
  const parsed = isbn3.parse(given.replace(/^isbn(?:-1[03])?:?\s*/iu, '').toUpperCase());
  if (parsed === null || !parsed.isValid) return { isbn10: null, isbn13: null, invalid: given };
  return { isbn10: parsed.isbn10 ?? null, isbn13: parsed.isbn13 ?? null, invalid: null };
}
