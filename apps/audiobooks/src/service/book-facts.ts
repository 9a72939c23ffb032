import type { Reads } from '@holdfast/keyspace';
import type { Book, Segment } from '../model/book.ts';
import type { BookFacts, SegmentFile } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/records.ts';
import { assets, books } from '../store/definitions.ts';
import { activeSegments } from '../store/timelines.ts';
import type { Audiobooks } from './audiobooks.ts';
import { resolveBook } from './queries/resolve.ts';
import { editedMarks } from './views.ts';

/** Yields the books in a library with their files; omits missing and deleted books. */
export async function* factsOf(
  { store }: Audiobooks,
  library: Library,
  chosen: readonly string[] | undefined,
): AsyncGenerator<BookFacts, void, undefined> {
  if (chosen !== undefined) {
    for (const given of chosen) yield await factsOfOne(store, given, library);
    return;
  }
  for await (const book of store.scan(books.by.folder, { library_id: library.id })) {
    if (book.deleted_at === null && book.missing_since === null) yield await bookFacts(store, book);
  }
}

async function factsOfOne(reads: Reads, given: string, library: Library): Promise<BookFacts> {
  const book = await resolveBook(reads, given);
  if (book.library_id === library.id) return bookFacts(reads, book);
  throw audiobookErrors.LIBRARY_NOT_FOUND(`${book.title} is not in the library ${library.root}.`);
}

export async function bookFacts(reads: Reads, book: Book): Promise<BookFacts> {
  const files = await activeSegments(reads, book.id);
  const asset = book.cover_asset_id === null ? undefined : await reads.get(assets, { id: book.cover_asset_id });
  return {
    bookId: book.id,
    generation: book.generation,
    folder: book.folder ?? '',
    title: book.title,
    subtitle: book.subtitle ?? undefined,
    authors: book.authors.map(({ name }) => name),
    narrators: book.narrators,
    series: book.series.map(({ name, sequence }) => ({ name, sequence: sequence ?? undefined })),
    year: book.published_year ?? undefined,
    publisher: book.publisher ?? undefined,
    language: book.language ?? undefined,
    isbn: book.isbn13 ?? book.isbn10 ?? undefined,
    asin: book.asin ?? undefined,
    description: book.description ?? undefined,
    genres: book.genres,
    edition: book.edition ?? undefined,
    files: files.map(segmentFile),
    cover: asset,
    chapters: await editedMarks(reads, book),
  };
}

function segmentFile(segment: Segment): SegmentFile {
  return {
    segmentId: segment.id,
    path: segment.file_path,
    format: segment.format,
    codec: segment.codec,
    durationMs: segment.duration_ms,
    quickHash: segment.quick_hash ?? '',
    device: segment.device ?? '',
    inode: segment.inode ?? '',
    size: segment.size_bytes,
    mtimeNs: segment.mtime_ns ?? '',
    disc: segment.disc_number ?? undefined,
    track: segment.track_number ?? undefined,
  };
}
