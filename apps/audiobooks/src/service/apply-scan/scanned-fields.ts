import type { Book, FileFacts, Segment, Source } from '../../model/book.ts';
import { BOOK_FIELDS, type BookField } from '../../model/choices.ts';
import { type FieldChanges, fieldValues, sameValue } from '../../model/fields.ts';
import type { ScannedBook, ScannedFields, ScannedFile } from '../../model/scanned.ts';

/** Sources whose values have priority over a scan. */
const STRONGER: ReadonlySet<Source> = new Set(['edit', 'import', 'provider', 'undo', 'merge']);

export function isOpenToScan(book: Book, field: BookField): boolean {
  const source = book.provenance[field];
  return !book.locks.includes(field) && (source === undefined || !STRONGER.has(source));
}

interface FromScan {
  readonly changes: FieldChanges;
  readonly sources: Readonly<Partial<Record<BookField, Source>>>;
}

const EMPTY: FieldChanges = {
  subtitle: null,
  authors: [],
  narrators: [],
  series: [],
  year: null,
  publisher: null,
  language: null,
  isbn: null,
  asin: null,
  description: null,
  genres: [],
  edition: null,
};

const SCAN_SOURCES: ReadonlySet<Source> = new Set(['tag', 'abs', 'opf', 'nfo', 'cue', 'text', 'folder', 'file']);

/** Returns the fields that an earlier scan set and for which this scan found no value. */
export function goneFields(book: Book, { changes }: FromScan): readonly BookField[] {
  const values = fieldValues(book);
  return (Object.keys(EMPTY) as BookField[]).filter(
    (field) =>
      changes[field] === undefined &&
      SCAN_SOURCES.has(book.provenance[field] ?? 'edit') &&
      isOpenToScan(book, field) &&
      !sameValue(values[field], EMPTY[field]),
  );
}

/** Adds an empty value for each of these fields, which clears the field. */
export function withCleared(book: Book, found: FromScan, fields: readonly BookField[]): FromScan {
  const empty = fields.map((field) => [field, EMPTY[field]] as const);
  const from = fields.map((field) => [field, book.provenance[field]] as const);
  return {
    changes: { ...found.changes, ...Object.fromEntries(empty) },
    sources: { ...found.sources, ...Object.fromEntries(from) },
  };
}

/** Returns the scanned values of the fields that a scan may change. */
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

interface SegmentPlace {
  readonly id: string;
  readonly bookId: string;
  readonly libraryId: string;
  readonly order: number;
  readonly total: number;
  readonly at: string;
}

/** Creates or updates the segment of a scanned file. */
export function segmentOfFile(file: ScannedFile, before: Segment | undefined, place: SegmentPlace): Segment {
  const isSameContent = before !== undefined && before.size_bytes === file.size && before.mtime_ns === file.mtimeNs;
  const made: Segment = {
    id: place.id,
    book_id: place.bookId,
    library_id: place.libraryId,
    file_path: file.path,
    format: file.format,
    codec: file.codec,
    size_bytes: file.size,
    duration_ms: file.durationMs,
    duration_seconds: file.durationMs / 1_000,
    hash_sha256: isSameContent ? before.hash_sha256 : null,
    quick_hash: file.quickHash,
    device: file.device,
    inode: file.inode,
    mtime_ns: file.mtimeNs,
    track_number: file.track ?? null,
    total_tracks: place.total,
    disc_number: file.disc ?? null,
    order: place.order,
    chapters: file.chapters.map(({ title, startMs, endMs }) => ({ title, startMs, endMs })),
    active: true,
    superseded_by: null,
    superseded_at_ms: null,
    superseded_duration_ms: null,
    missing_since: null,
    created_at: before?.created_at ?? place.at,
    updated_at: before?.updated_at ?? place.at,
    version: 1,
  };
  // For an unchanged file, returns the same object, so that nothing is written.
  const isUnchanged = before !== undefined && JSON.stringify(before) === JSON.stringify(made);
  return isUnchanged ? before : { ...made, updated_at: place.at };
}

export function factsOfFile(file: ScannedFile): FileFacts {
  return {
    stream: { ...file.stream },
    tags: { ...file.tags },
    cover: file.cover ? { ...file.cover } : null,
    version: 1,
  };
}

/** Rebuilds the scan result of a segment's file from the stored data. */
export function scannedFileOf(segment: Segment, facts: FileFacts | undefined): ScannedFile | undefined {
  const { device, inode, mtime_ns: mtimeNs, quick_hash: quickHash } = segment;
  if (facts === undefined || device === null || inode === null || mtimeNs === null || quickHash === null) {
    return undefined;
  }
  return {
    path: segment.file_path,
    device,
    inode,
    size: segment.size_bytes,
    mtimeNs,
    quickHash,
    format: segment.format as ScannedFile['format'],
    codec: segment.codec,
    stream: facts.stream as unknown as ScannedFile['stream'],
    durationMs: segment.duration_ms,
    chapters: segment.chapters,
    tags: facts.tags as unknown as ScannedFile['tags'],
    ...(facts.cover === null ? {} : { cover: facts.cover as unknown as NonNullable<ScannedFile['cover']> }),
    ...(segment.disc_number === null ? {} : { disc: segment.disc_number }),
    ...(segment.track_number === null ? {} : { track: segment.track_number }),
  };
}
