import type { ScannedBook } from '../src/model/scanned.ts';
import type { BookFacts } from '../src/model/engines.ts';

/** Converts a scanned book to the form in which engines receive it from the database. */
export function factsOf(book: ScannedBook, bookId: string): BookFacts {
  return {
    bookId,
    generation: 1,
    folder: book.folder,
    title: book.title,
    subtitle: book.subtitle,
    authors: book.authors,
    narrators: book.narrators,
    series: book.series.map(({ name, sequence }) => ({ name, sequence })),
    year: book.year,
    publisher: book.publisher,
    language: book.language,
    isbn: book.isbn,
    asin: book.asin,
    description: book.description,
    genres: book.genres,
    edition: book.edition,
    files: book.files.map((file, index) => ({
      ...file,
      segmentId: `${bookId}-${index + 1}`,
      disc: file.disc,
      track: file.track,
    })),
    cover: book.cover,
    chapters: [],
  };
}
