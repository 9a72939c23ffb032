import type { ChapterMark } from '../model/chapters.ts';
import { u32, u32le, utf8 } from './bytes.ts';
import { LIMITS, type Picture, type TagEntry } from './found.ts';

/** The tags of Ogg and FLAC: any number of `NAME=value`. */
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

/** `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=The title`. */
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

/** A FLAC picture block: kind, type, description, dimensions, bytes. */
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
