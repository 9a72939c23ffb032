import type { AudioTags } from '../model/scanned.ts';
import type { TagEntry } from './found.ts';

/** Maps the tags of any format to book fields. */
export function audioTags(entries: readonly TagEntry[]): AudioTags {
  const all = (...names: readonly string[]): readonly string[] => {
    for (const name of names) {
      const values = entries.filter(([key]) => key === name).map(([, value]) => clean(value.slice(0, maxLength(name))));
      const distinct = [...new Set(values)].filter((value) => value !== '');
      if (distinct.length > 0) return distinct;
    }
    return [];
  };
  const one = (...names: readonly string[]): string | undefined => all(...names)[0];
  const [track, trackTotal] = numbers(one('TRACK', 'TRACKNUMBER'));
  const [disc, discTotal] = numbers(one('DISC', 'DISCNUMBER'));
  return defined({
    title: one('TITLE'),
    subtitle: one('SUBTITLE', 'TIT3'),
    album: one('ALBUM'),
    artists: all('ARTIST', 'AUTHOR'),
    albumArtists: all('ALBUMARTIST', 'ALBUM ARTIST', 'ALBUM_ARTIST'),
    composers: all('COMPOSER'),
    narrators: all('NARRATOR', 'NARRATEDBY', 'READER', 'NRT'),
    series: one('SERIES', 'MVNM', 'MOVEMENTNAME', 'SHOWMOVEMENT_NAME', 'GROUPING', 'CONTENTGROUP'),
    seriesPart: one('SERIES-PART', 'SERIES_PART', 'SERIESPART', 'PART', 'MVIN', 'MOVEMENT', 'SERIES_POSITION'),
    year: yearOf(one('ORIGINALYEAR', 'DATE', 'YEAR', 'RELEASEDATE')),
    publisher: one('PUBLISHER', 'LABEL', 'ORGANIZATION'),
    language: one('LANGUAGE', 'LANG'),
    description: one('LONGDESCRIPTION', 'DESCRIPTION', 'SYNOPSIS', 'COMMENT'),
    genres: all('GENRE').flatMap(splitGenres),
    isbn: one('ISBN'),
    asin: one('ASIN', 'AUDIBLE_ASIN', 'CDEK'),
    disc,
    discTotal: discTotal ?? positive(one('DISCTOTAL', 'TOTALDISCS')),
    track,
    trackTotal: trackTotal ?? positive(one('TRACKTOTAL', 'TOTALTRACKS')),
  });
}

/** Bounds the time that name patterns take on very long values. */
const maxLength = (name: string): number => (/DESCRIPTION|SYNOPSIS|COMMENT/.test(name) ? 32 * 1024 : 500);

/** Removes control characters, which terminals would interpret; keeps line breaks. */
function clean(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  return value.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
}

function numbers(text: string | undefined): readonly [number | undefined, number | undefined] {
  const match = /^(\d{1,6})(?:\s*(?:\/|of)\s*(\d{1,6}))?/.exec(text ?? '');
  return [positive(match?.[1]), positive(match?.[2])];
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}

function yearOf(text: string | undefined): number | undefined {
  const year = Number(/(?<!\d)(\d{4})(?!\d)/.exec(text ?? '')?.[1]);
  return year >= 1000 && year <= 2200 ? year : undefined;
}

/** Drops ID3v1 genre numbers in brackets; 101 means speech, which is not a book genre. */
function splitGenres(text: string): readonly string[] {
  return text
    .split(/[;,/]| & /)
    .map((part) => part.replace(/^\(\d+\)/, '').trim())
    .filter((part) => part !== '' && !/^\d+$/.test(part));
}

/** Omits undefined fields, because a present undefined would be stored. */
function defined(fields: { readonly [K in keyof AudioTags]-?: AudioTags[K] | undefined }): AudioTags {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as AudioTags;
}
