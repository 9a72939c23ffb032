import { z } from 'zod';
import type { BookField } from './choices.ts';
import type { Book } from './book.ts';
import { audiobookErrors } from './errors.ts';

/** Book fields as users, imports and the history see them: names instead of ids, one ISBN instead of two. */

const line = z.string().trim().min(1).max(2_000);
const optionalLine = line.nullable();
const names = z.array(line).max(200);

const schemas = {
  title: line,
  subtitle: optionalLine,
  authors: names,
  narrators: names,
  series: z.array(z.object({ name: line, sequence: line.nullable().default(null) })).max(50),
  year: z.int().min(-3_000).max(9_999).nullable(),
  publisher: optionalLine,
  language: optionalLine,
  isbn: optionalLine,
  asin: optionalLine,
  description: z.string().max(100_000).nullable(),
  genres: names,
  tags: names,
  edition: optionalLine,
  cover: z.string().nullable(),
  chapters: z.string().nullable(),
} as const satisfies Record<BookField, z.ZodType>;

export type FieldValues = { readonly [Field in BookField]: z.output<(typeof schemas)[Field]> };
export type FieldChanges = Partial<FieldValues>;

/** Returns the value to store, or throws FIELD_INVALID. */
export function checkField<Field extends BookField>(field: Field, value: unknown): FieldValues[Field] {
  const checked = schemas[field].safeParse(value);
  if (checked.success) return checked.data as FieldValues[Field];
  const reason = checked.error.issues[0]?.message ?? 'invalid';
  throw audiobookErrors.FIELD_INVALID(`${field}: ${reason}`, { details: { field } });
}

export function fieldValues(book: Book): FieldValues {
  return {
    title: book.title,
    subtitle: book.subtitle,
    authors: book.authors.map(({ name }) => name),
    narrators: book.narrators,
    series: book.series.map(({ name, sequence }) => ({ name, sequence })),
    year: book.published_year,
    publisher: book.publisher,
    language: book.language,
    isbn: book.isbn13 ?? book.isbn10 ?? book.isbn_invalid,
    asin: book.asin,
    description: book.description,
    genres: book.genres,
    tags: book.tags,
    edition: book.edition,
    cover: book.cover_asset_id,
    chapters: book.chapter_list_id ?? null,
  };
}

export function sameValue(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
