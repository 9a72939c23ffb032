import type { Reads } from '@holdfast/keyspace';
import type { z } from 'zod';

import type { Book } from '../model/book.ts';
import { contentTypeOf } from '../model/content-types.ts';
import type { Progress } from '../model/playback.ts';
import type { Segment } from '../model/segment.ts';
import type { BookView } from '../service/queries/show-book.ts';
import { progress } from '../store/definitions.ts';
import type { Caller } from './caller.ts';
import type { BookRowView, bookSchema } from './schemas.ts';

/** Books as lists show them, with the caller's place in each: one read per book, whatever else there is. */
export async function bookRows(reads: Reads, books: readonly Book[], userId: string): Promise<BookRowView[]> {
  const places = await reads.getMany(
    progress,
    books.map(({ id }) => ({ user_id: userId, book_id: id })),
  );
  return books.map((book, index) => rowView(book, places[index]));
}

function rowView(book: Book, place: Progress | undefined): BookRowView {
  return {
    id: book.id,
    title: book.title,
    subtitle: book.subtitle,
    authors: book.authors.map(({ id, name }) => ({ id, name })),
    narrators: book.narrators,
    series: book.series.map(({ id, name, sequence }) => ({ id, name, sequence })),
    year: book.published_year,
    language: book.language,
    duration_ms: book.duration_ms,
    library_id: book.library_id,
    cover: coverAddress(book),
    added_at: book.created_at,
    missing: book.missing_since !== null,
    work_id: book.work_id,
    revision: book.revision,
    generation: book.generation,
    progress:
      place === undefined || !place.started
        ? null
        : {
            position_ms: place.book_position_ms,
            percent: place.percent_complete,
            finished: place.finished,
            updated_at: place.updated_at,
          },
  };
}

/** The version in it changes with the picture, so that what is behind one address never does. */
function coverAddress({ id, cover_asset_id: asset }: Book): string | null {
  return asset === null ? null : `/api/audiobooks/books/${id}/cover?v=${asset}`;
}

/** One book with all that its page shows. Its files are named by where they are played, not by where they lie. */
export async function bookView(
  reads: Reads,
  { book, segments, chapters, editions }: BookView,
  caller: Caller,
): Promise<z.infer<typeof bookSchema>> {
  const visible = editions.filter(({ library_id: library }) => caller.sees(library));
  const [own, ...others] = await bookRows(reads, [book, ...visible], caller.userId);
  if (own === undefined) throw new TypeError('There is a row for every book');
  let start = 0;
  return {
    ...own,
    description: book.description,
    publisher: book.publisher,
    isbn10: book.isbn10,
    isbn13: book.isbn13,
    asin: book.asin,
    genres: book.genres,
    tags: book.tags,
    edition: book.edition,
    deleted_at: book.deleted_at,
    locks: book.locks,
    provenance: { ...book.provenance },
    folder: caller.can.edit ? book.folder : null,
    size_bytes: book.size_bytes,
    chapters: chapters.map(({ title, startMs, endMs }, index) => ({ index, title, start_ms: startMs, end_ms: endMs })),
    segments: segments.map((segment, index) => {
      const placed = segmentView(segment, index, start);
      start += segment.duration_ms;
      return placed;
    }),
    editions: others,
  };
}

function segmentView(segment: Segment, index: number, start: number): z.infer<typeof bookSchema>['segments'][number] {
  return {
    id: segment.id,
    index,
    start_ms: start,
    duration_ms: segment.duration_ms,
    size_bytes: segment.size_bytes,
    format: segment.format,
    content_type: contentTypeOf(segment.format),
    missing: segment.missing_since !== null,
    url: `/api/audiobooks/books/${segment.book_id}/segments/${segment.id}/stream`,
  };
}
