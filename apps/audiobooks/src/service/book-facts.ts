import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import type { Segment } from '../model/segment.ts';
import { assets } from '../store/definitions.ts';
import { activeSegments } from '../store/segments.ts';
import type { BookFacts, SegmentFile } from '../model/engines.ts';

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
