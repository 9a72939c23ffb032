import { BOOK_FIELDS, type BookField } from '../../model/choices.ts';
import { type Book, type Source } from '../../model/book.ts';
import type { FieldChanges } from '../../model/fields.ts';
import type { ScannedBook, ScannedFields } from '../../model/scanned.ts';

/** Sources that a scan must not overwrite. */
const STRONGER: ReadonlySet<Source> = new Set(['edit', 'import', 'undo', 'merge']);

export function isOpenToScan(book: Book, field: BookField): boolean {
  const source = book.provenance[field];
  return !book.locks.includes(field) && (source === undefined || !STRONGER.has(source));
}

export interface FromScan {
  readonly changes: FieldChanges;
  readonly sources: Readonly<Partial<Record<BookField, Source>>>;
}

/** Returns scan values for the fields that a scan may change. Unknown fields stay unchanged. */
export function fromScan(book: Book, scanned: ScannedBook): FromScan {
  const values: FieldChanges = {
    title: clean(scanned.title) ?? 'Untitled',
    ...optional('subtitle', clean(scanned.subtitle)),
    ...list('authors', scanned.authors),
    ...list('narrators', scanned.narrators),
    ...optional('year', scanned.year),
    ...optional('publisher', clean(scanned.publisher)),
    ...optional('language', clean(scanned.language)),
    ...optional('isbn', clean(scanned.isbn)),
    ...optional('asin', clean(scanned.asin)),
    ...optional('description', scanned.description?.toWellFormed()),
    ...list('genres', scanned.genres),
    ...optional('edition', scanned.edition),
    ...(scanned.series.length === 0
      ? {}
      : {
          series: scanned.series.flatMap(({ name, sequence }) => {
            const shown = clean(name);
            return shown === undefined ? [] : [{ name: shown, sequence: clean(sequence) ?? null }];
          }),
        }),
  };
  const changes: Record<string, unknown> = {};
  const sources: Partial<Record<BookField, Source>> = {};
  for (const field of BOOK_FIELDS) {
    if (values[field] === undefined || !isOpenToScan(book, field)) continue;
    changes[field] = values[field];
    sources[field] = scanned.provenance[field as keyof ScannedFields] ?? 'file';
  }
  return { changes, sources };
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}

function list<Name extends string>(name: Name, values: readonly string[]): { [N in Name]?: string[] } {
  const cleaned = values.flatMap((value) => clean(value) ?? []);
  return optional(name, cleaned.length === 0 ? undefined : cleaned);
}

const LINE_MAX = 2_000;

/** Reduces a tag to one line of valid Unicode. */
function clean(text: string | undefined): string | undefined {
  const cleaned = text
    ?.toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LINE_MAX)
    .toWellFormed();
  return cleaned === '' ? undefined : cleaned;
}
