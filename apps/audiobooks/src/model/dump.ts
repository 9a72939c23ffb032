import { z } from 'zod';
import type { FieldChanges } from './fields.ts';

/**
 * Metadata of a book from a file with one book per line. A line is either JSON with our field names, or a line of the
 * Open Library dump (type, key, revision, time and JSON, separated by tabs).
 */
export interface DumpEntry {
  readonly isbns: readonly string[];
  readonly asin: string | undefined;
  readonly fields: FieldChanges;
}

const texts = z.union([z.string().transform((text) => [text]), z.array(z.string())]);
const seriesEntry = z.union([
  z.string().transform(seriesFromText),
  z.object({ name: z.string(), sequence: z.union([z.string(), z.number().transform(String)]).nullish() }),
]);

const ownShape = z.object({
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  author: texts.nullish(),
  authors: texts.nullish(),
  narrator: texts.nullish(),
  narrators: texts.nullish(),
  series: z.union([z.array(seriesEntry), seriesEntry.transform((entry) => [entry])]).nullish(),
  year: z.coerce.number().int().nullish(),
  publisher: z.string().nullish(),
  language: z.string().nullish(),
  isbn: texts.nullish(),
  isbn10: z.string().nullish(),
  isbn13: z.string().nullish(),
  asin: z.string().nullish(),
  description: z.string().nullish(),
  genres: texts.nullish(),
  tags: texts.nullish(),
  edition: z.string().nullish(),
});

const described = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

/**
 * The fields of an Open Library edition that we use. Authors are left out, because they are only keys into another
 * file.
 */
const openLibraryShape = z.object({
  title: z.string(),
  subtitle: z.string().nullish(),
  isbn_10: z.array(z.string()).nullish(),
  isbn_13: z.array(z.string()).nullish(),
  publishers: z.array(z.string()).nullish(),
  publish_date: z.string().nullish(),
  series: z.array(z.string()).nullish(),
  subjects: z.array(z.string()).nullish(),
  description: described.nullish(),
  languages: z.array(z.object({ key: z.string() })).nullish(),
});

/** Parses a line; returns undefined if it is unreadable or does not describe an edition. */
export function parseDumpLine(line: string): DumpEntry | undefined {
  const columns = line.split('\t');
  if (columns.length >= 5) return columns[0] === '/type/edition' ? fromOpenLibrary(columns[4] ?? '') : undefined;
  return readOwnBook(json(line));
}

/** Reads a book in our own form; returns undefined if it is invalid. */
export function readOwnBook(value: unknown): DumpEntry | undefined {
  const parsed = ownShape.safeParse(value);
  if (!parsed.success) return undefined;
  const { author, narrator, isbn, isbn10, isbn13, asin, authors, narrators, series, ...rest } = parsed.data;
  const fields = {
    ...rest,
    authors: authors ?? author,
    narrators: narrators ?? narrator,
    series: series?.map(({ name, sequence }) => ({ name, sequence: sequence ?? null })),
    isbn: isbn13 ?? isbn?.[0] ?? isbn10,
    asin,
  };
  const isbns = [isbn13, isbn10, ...(isbn ?? [])].filter((text) => text !== null && text !== undefined);
  return { isbns, asin: asin ?? undefined, fields: present(fields) };
}

function fromOpenLibrary(text: string): DumpEntry | undefined {
  const parsed = openLibraryShape.safeParse(json(text));
  if (!parsed.success) return undefined;
  const edition = parsed.data;
  const year = /\b(1[0-9]{3}|20[0-9]{2})\b/u.exec(edition.publish_date ?? '')?.[1];
  return {
    isbns: [...(edition.isbn_13 ?? []), ...(edition.isbn_10 ?? [])],
    asin: undefined,
    fields: present({
      title: edition.title,
      subtitle: edition.subtitle,
      publisher: edition.publishers?.[0],
      year: year === undefined ? undefined : Number(year),
      genres: edition.subjects,
      description: edition.description,
      language: edition.languages?.[0]?.key.replace(/^\/languages\//u, ''),
      series: edition.series?.map(seriesFromText),
      isbn: edition.isbn_13?.[0] ?? edition.isbn_10?.[0],
    }),
  };
}

/** Parses `Name #3`, `Name ; 3`, `Name, book 3` or just the name. */
function seriesFromText(text: string): { readonly name: string; readonly sequence: string | null } {
  const match = /^(.*?)\s*(?:#|;|,?\s+(?:book|vol\.?|volume)\s)\s*([\d.]+(?:-[\d.]+)?[a-z]?)\s*$/iu.exec(text);
  return { name: (match?.[1] ?? text).trim(), sequence: match?.[2] ?? null };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function present(fields: Readonly<Record<string, unknown>>): FieldChanges {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}
