import type { Chapter } from '../model/chapters.ts';
import type { BookFacts } from '../model/engines.ts';

/** Removes control characters except line breaks: they are unsafe in arguments and terminals. */
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const plain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/gu, '');

/**
 * Returns book tags and chapter titles as ffmpeg arguments. A metadata file would be a second input, with which ffmpeg
 * passes every packet between threads and takes twice as long.
 */
export function tagArguments(book: BookFacts, chapters: readonly Chapter[]): readonly string[] {
  const tags = Object.entries(bookTags(book)).filter(([, value]) => value !== '');
  return [
    ...tags.flatMap(([name, value]) => ['-metadata', `${name}=${plain(value)}`]),
    ...chapters.flatMap(({ title }, index) => [`-metadata:c:${index}`, `title=${plain(title)}`]),
  ];
}

/**
 * Returns chapters as Vorbis comments. ffmpeg's own are wrong: it rounds the seconds before adding the milliseconds, so
 * a chapter in the second half of a second starts one second late.
 */
export function chapterComments(chapters: readonly Chapter[]): readonly string[] {
  return [
    '-map_chapters',
    '-1',
    ...chapters.flatMap(({ title, startMs }, index) => {
      const name = `CHAPTER${String(index).padStart(3, '0')}`;
      return ['-metadata', `${name}=${clockTime(startMs)}`, '-metadata', `${name}NAME=${plain(title)}`];
    }),
  ];
}

const two = (part = 0): string => String(part).padStart(2, '0');

function clockTime(ms: number): string {
  const whole = Math.round(ms);
  const [hours, minutes, seconds] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1_000) % 60].map(Math.floor);
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${String(whole % 1_000).padStart(3, '0')}`;
}

/** Players expect the narrator in the composer tag. */
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
