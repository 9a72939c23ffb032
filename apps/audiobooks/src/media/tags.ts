import type { ChapterMark } from '../model/chapters.ts';
import type { AudioTags, StreamFormat } from '../model/scanned.ts';
import { u32, u32le, utf8 } from './source.ts';

/** A tag value under its format-independent name: `['ALBUM', 'Dune']`. */
export type TagEntry = readonly [name: string, value: string];

export interface Picture {
  readonly mime: string;
  /** Byte offset in the file; -1 if the file stores the picture in encoded form. */
  readonly offset: number;
  readonly length: number;
  /** Whether the picture is marked as the front cover. */
  readonly isFront: boolean;
  readonly bytes: () => Promise<Uint8Array>;
}

export interface Found {
  readonly stream: StreamFormat;
  readonly durationMs: number;
  readonly chapters: readonly ChapterMark[];
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  /** Range of the audio data without tags. Its hash identifies the file even after the tags change. */
  readonly sound: { readonly offset: number; readonly length: number };
  /** Whether the file is shorter than it declares. */
  readonly isIncomplete: boolean;
}

/** Limits against hostile files. */
export const LIMITS = {
  entries: 2_000,
  textBytes: 64 * 1024,
  pictures: 32,
  pictureBytes: 32 * 1024 * 1024,
  chapters: 10_000,
} as const;

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

/** Longest value that is kept; the limit keeps the matching of name patterns fast. */
const maxLength = (name: string): number => (/DESCRIPTION|SYNOPSIS|COMMENT/.test(name) ? 32 * 1024 : 500);

/** Removes control characters, because terminals would interpret them; keeps line breaks. */
function clean(value: string): string {
  // oxlint-disable-next-line no-control-regex -- removes control characters
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

/** Drops ID3v1 genre numbers such as `(101)` and `101`: 101 means speech, which is not a book genre. */
function splitGenres(text: string): readonly string[] {
  return text
    .split(/[;,/]| & /)
    .map((part) => part.replace(/^\(\d+\)/, '').trim())
    .filter((part) => part !== '' && !/^\d+$/.test(part));
}

/** Omits undefined fields, so that they are not stored. */
function defined(fields: { readonly [K in keyof AudioTags]-?: AudioTags[K] | undefined }): AudioTags {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as AudioTags;
}

/** The tags of Ogg and FLAC: any number of `NAME=value` entries. */
export interface VorbisComment {
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  readonly chapters: readonly ChapterMark[];
}

const isChapter = ([name]: TagEntry): boolean => /^CHAPTER\d{3,}(NAME|URL)?$/.test(name);

const PICTURE = 'METADATA_BLOCK_PICTURE=';

export function readVorbisComment(bytes: Uint8Array): VorbisComment {
  const entries: TagEntry[] = [];
  const pictures: Picture[] = [];
  let at = 4 + u32le(bytes, 0);
  const count = Math.min(u32le(bytes, at), LIMITS.entries + LIMITS.chapters * 2);
  at += 4;
  for (let n = 0; n < count && at + 4 <= bytes.length; n++) {
    const length = u32le(bytes, at);
    const start = at + 4;
    at = start + length;
    if (at > bytes.length) break;
    const isPicture = utf8(bytes, start, start + PICTURE.length).toUpperCase() === PICTURE;
    if (isPicture && pictures.length < LIMITS.pictures) {
      const block = Buffer.from(utf8(bytes, start + PICTURE.length, at), 'base64');
      const picture = pictureBlock(block);
      if (picture !== undefined) pictures.push(picture);
      continue;
    }
    if (length > LIMITS.textBytes) continue;
    const text = utf8(bytes, start, at);
    const separator = text.indexOf('=');
    if (separator > 0) entries.push([text.slice(0, separator).toUpperCase(), text.slice(separator + 1).trim()]);
  }
  return {
    entries: entries.filter((entry) => !isChapter(entry) && entry[1] !== '').slice(0, LIMITS.entries),
    pictures,
    chapters: chaptersOf(entries.filter(isChapter)),
  };
}

/** Parses chapters: `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=The title`. */
function chaptersOf(entries: readonly TagEntry[]): readonly ChapterMark[] {
  const titles = new Map(entries.filter(([name]) => name.endsWith('NAME')));
  const marks: ChapterMark[] = [];
  for (const [name, value] of entries) {
    const time = /^(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(value);
    if (time === null || name.endsWith('NAME') || marks.length >= LIMITS.chapters) continue;
    const seconds = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]);
    marks.push({ title: titles.get(`${name}NAME`) ?? '', startMs: seconds * 1000 });
  }
  return marks;
}

/** Parses a FLAC picture block: kind, type, description, dimensions, bytes. */
export function pictureBlock(block: Uint8Array): Picture | undefined {
  const mimeEnd = 8 + u32(block, 4);
  if (mimeEnd + 4 > block.length) return undefined;
  const mime = utf8(block, 8, mimeEnd).toLowerCase();
  const start = mimeEnd + 4 + u32(block, mimeEnd) + 16 + 4;
  const length = u32(block, start - 4);
  if (length === 0 || start + length > block.length || length > LIMITS.pictureBytes) return undefined;
  return {
    mime,
    offset: -1,
    length,
    isFront: u32(block, 0) === 3,
    bytes: () => Promise.resolve(block.slice(start, start + length)),
  };
}
