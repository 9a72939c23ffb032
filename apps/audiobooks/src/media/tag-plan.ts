import { splitPeople } from '../model/names/people.ts';
import { seriesList } from '../model/names/series-text.ts';
import type { AudioTags } from '../model/scanned.ts';
import type { BookFacts } from '../model/engines.ts';

/** The tags that a book's file should have. Several people share one text, as players show it. */
export interface WantedTags {
  readonly title: string;
  readonly album: string;
  readonly subtitle: string;
  readonly authors: readonly string[];
  readonly narrators: readonly string[];
  /** `Name #1; Other #2`. */
  readonly series: string;
  readonly year: number;
  readonly genres: readonly string[];
  readonly publisher: string;
  readonly description: string;
  readonly isbn: string;
  readonly asin: string;
  readonly language: string;
  readonly track: number;
  readonly tracks: number;
  readonly disc: number;
}

/** A chapter file keeps its own title; a single file gets the book's title. */
export function wantedTags(book: BookFacts, index: number, now: AudioTags): WantedTags {
  const isOnly = book.files.length === 1;
  const series = book.series.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`));
  return {
    title: isOnly ? book.title : (now.title ?? `${book.title} ${index + 1}`),
    album: book.title,
    subtitle: book.subtitle ?? '',
    authors: book.authors,
    narrators: book.narrators,
    series: series.join('; '),
    year: book.year ?? 0,
    genres: book.genres,
    publisher: book.publisher ?? '',
    description: book.description ?? '',
    isbn: book.isbn ?? '',
    asin: book.asin ?? '',
    language: book.language ?? '',
    track: isOnly ? 0 : index + 1,
    tracks: isOnly ? 0 : book.files.length,
    disc: book.files[index]?.disc ?? 0,
  };
}

export interface TagChange {
  readonly field: keyof WantedTags;
  readonly from: string;
  readonly to: string;
}

/** Returns the tags that would change. Unknown tags stay. */
export function tagChanges(now: AudioTags, wanted: WantedTags): readonly TagChange[] {
  const current: Readonly<Record<keyof WantedTags, string>> = {
    title: now.title ?? '',
    album: now.album ?? '',
    subtitle: now.subtitle ?? '',
    authors: names(now.albumArtists.length > 0 ? now.albumArtists : now.artists),
    narrators: names(now.narrators.length > 0 ? now.narrators : now.composers),
    series: seriesText(now),
    year: String(now.year ?? 0),
    genres: now.genres.join('; '),
    publisher: now.publisher ?? '',
    description: now.description ?? '',
    isbn: now.isbn ?? '',
    asin: now.asin ?? '',
    language: now.language ?? '',
    track: String(now.track ?? 0),
    tracks: String(now.trackTotal ?? 0),
    disc: String(now.disc ?? 0),
  };
  const changes: TagChange[] = [];
  for (const [field, value] of Object.entries(wanted) as [keyof WantedTags, string | number | readonly string[]][]) {
    const to = typeof value === 'object' ? value.join('; ') : String(value);
    if (to !== '' && to !== '0' && to !== current[field]) changes.push({ field, from: current[field], to });
  }
  return changes;
}

const names = (values: readonly string[]): string => values.flatMap(splitPeople).join('; ');

function seriesText({ series, seriesPart }: AudioTags): string {
  if (series === undefined) return '';
  const list = seriesList(series, seriesPart);
  return list.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`)).join('; ');
}
