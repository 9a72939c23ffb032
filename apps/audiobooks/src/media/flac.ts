import { startsWith, u16, u24, u32 } from './bytes.ts';
import { flacFrameAt } from './flac-frame.ts';
import { type Found, LIMITS, type Picture } from './found.ts';
import { readId3 } from './id3.ts';
import { type ByteSource, MediaError, readExactly, windowed } from './source.ts';
import { pictureBlock, readVorbisComment, type VorbisComment } from './vorbis-comment.ts';

const STREAM_INFO = 0;
const VORBIS_COMMENT = 4;
const PICTURE = 6;
const BLOCKS_MAX = 1_000;

interface Blocks {
  readonly streamInfo: Uint8Array;
  readonly comment: VorbisComment;
  readonly pictures: readonly Picture[];
  readonly end: number;
}

export async function readFlac(file: ByteSource): Promise<Found> {
  const source = windowed(file);
  const id3 = await readId3(source, 0);
  const start = id3?.end ?? 0;
  if (!startsWith(await source.read(start, 4), 'fLaC')) throw new MediaError('unreadable', 'it is not FLAC');
  const { streamInfo, comment, pictures, end } = await readBlocks(source, start + 4);
  const sampleRate = u24(streamInfo, 10) >> 4;
  if (sampleRate === 0) throw new MediaError('unreadable', 'its sound has no rate');
  const announced = ((streamInfo[13] ?? 0) & 0x0f) * 0x1_0000_0000 + u32(streamInfo, 14);
  const present = await lastSample(source, end, u16(streamInfo, 2));
  if (present === undefined) throw new MediaError('incomplete', 'it has a beginning but no sound');
  return {
    stream: { codec: 'flac', sampleRate, channels: (((streamInfo[12] ?? 0) >> 1) & 7) + 1, profile: '' },
    durationMs: Math.round((present * 1000) / sampleRate),
    chapters: comment.chapters,
    entries: comment.entries.length > 0 ? comment.entries : (id3?.entries ?? []),
    pictures: pictures.length > 0 ? pictures : comment.pictures,
    sound: { offset: end, length: source.size - end },
    isIncomplete: present < announced,
  };
}

async function readBlocks(source: ByteSource, start: number): Promise<Blocks> {
  let streamInfo: Uint8Array | undefined;
  let comment: VorbisComment = { entries: [], pictures: [], chapters: [] };
  const pictures: Picture[] = [];
  let at = start;
  for (let count = 0; count < BLOCKS_MAX; count++) {
    const header = await readExactly(source, at, 4);
    const kind = (header[0] ?? 0) & 0x7f;
    const isLast = ((header[0] ?? 0) & 0x80) !== 0;
    const length = u24(header, 1);
    const content = at + 4;
    if (kind === STREAM_INFO && length >= 34) streamInfo = (await readExactly(source, content, 34)).slice();
    if (kind === VORBIS_COMMENT) comment = readVorbisComment(await readExactly(source, content, length));
    if (kind === PICTURE && pictures.length < LIMITS.pictures) {
      const picture = await lazyPicture(source, content, length);
      if (picture !== undefined) pictures.push(picture);
    }
    at = content + length;
    if (isLast) break;
  }
  if (streamInfo === undefined) throw new MediaError('unreadable', 'it does not say what its sound is');
  return { streamInfo, comment, pictures, end: at };
}

/** Reads the bytes only when requested: a scan never uses most pictures. */
async function lazyPicture(source: ByteSource, offset: number, length: number): Promise<Picture | undefined> {
  const picture = pictureBlock(await readExactly(source, offset, length));
  if (picture === undefined) return undefined;
  const bytes = async (): Promise<Uint8Array> => {
    const again = pictureBlock(await readExactly(source, offset, length));
    return again === undefined ? new Uint8Array(0) : again.bytes();
  };
  return { ...picture, offset: offset + length - picture.length, bytes };
}

const TAIL = 256 * 1024;
/** After this many bytes without a frame, the file is damaged beyond use. */
const SEARCH_MAX = 16 * 1024 * 1024;

/** Returns the end of the last frame. Frames contain their position, so reading the end of the file is enough. */
async function lastSample(source: ByteSource, start: number, blockSize: number): Promise<number | undefined> {
  const stop = Math.max(start, source.size - SEARCH_MAX);
  for (let end = source.size; end > stop; end -= TAIL / 2) {
    const from = Math.max(start, end - TAIL);
    const bytes = (await source.read(from, end - from)).slice();
    for (let at = bytes.lastIndexOf(0xff); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0xff, at - 1)) {
      const frame = flacFrameAt(bytes, at, blockSize);
      if (frame !== undefined) return frame.endSample;
    }
  }
  return undefined;
}
