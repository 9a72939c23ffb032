import type { Chapter } from '../model/chapters.ts';
import type { BookFacts } from '../service/ports.ts';

/** Tags and chapters in the form that ffmpeg reads. */

const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f]/gu, '').replaceAll(/[=;#\\\n]/gu, (sign) => `\\${sign}`);

export function ffmetadata(book: BookFacts, chapters: readonly Chapter[]): string {
  const lines = [';FFMETADATA1'];
  for (const [name, value] of Object.entries(bookTags(book))) if (value !== '') lines.push(`${name}=${escape(value)}`);
  for (const { title, startMs, endMs } of chapters) {
    lines.push('[CHAPTER]', 'TIMEBASE=1/1000', `START=${startMs}`, `END=${endMs}`, `title=${escape(title)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The tags of a book in one file, as players expect them: the narrator as the composer. */
function bookTags(book: BookFacts): Readonly<Record<string, string>> {
  const [series] = book.series;
  return {
    title: book.title,
    album: book.title,
    artist: book.authors.join('; '),
    album_artist: book.authors.join('; '),
    composer: book.narrators.join('; '),
    genre: book.genres.join('; '),
    date: book.year === undefined ? '' : String(book.year),
    description: book.description ?? '',
    publisher: book.publisher ?? '',
    grouping:
      series === undefined ? '' : [series.name, series.sequence].filter((text) => text !== undefined).join(' #'),
    media_type: '2',
  };
}
