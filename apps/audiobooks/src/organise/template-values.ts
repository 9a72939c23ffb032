import { withoutExtension } from '../model/names/file-name.ts';
import type { TemplateValues } from '../model/templates.ts';
import type { BookFacts, SegmentFile } from '../model/engines.ts';

export function bookValues(book: BookFacts): TemplateValues {
  const [series] = book.series;
  return {
    author: book.authors[0] ?? '',
    authors: book.authors.join(', '),
    author_last: lastFirst(book.authors[0] ?? ''),
    title: book.title,
    subtitle: book.subtitle ?? '',
    series: series?.name ?? '',
    sequence: series?.sequence ?? '',
    year: book.year === undefined ? '' : String(book.year),
    narrator: book.narrators[0] ?? '',
    narrators: book.narrators.join(', '),
    publisher: book.publisher ?? '',
    language: book.language ?? '',
    isbn: book.isbn ?? '',
    asin: book.asin ?? '',
    edition: book.edition ?? '',
    genre: book.genres[0] ?? '',
    tracks: String(book.files.length),
  };
}

/** Numbers files in playing order; a single file has no number. */
export function fileValues(book: BookFacts, file: SegmentFile, index: number): TemplateValues {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const isOneOfMany = book.files.length > 1;
  return {
    ...bookValues(book),
    track: isOneOfMany ? String(index + 1) : '',
    disc: file.disc === undefined || !isOneOfMany ? '' : String(file.disc),
    file: withoutExtension(name),
    ext: name.slice(withoutExtension(name).length + 1),
  };
}

function lastFirst(name: string): string {
  const words = name.split(' ');
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}
