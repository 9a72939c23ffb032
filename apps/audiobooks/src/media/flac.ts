import { readId3 } from './id3.ts';
import { type ByteSource, MediaError, readExactly, startsWith, u16, u24, u32, windowed } from './source.ts';
import { type Found, LIMITS, type Picture, pictureBlock, readVorbisComment, type VorbisComment } from './tags.ts';

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
  if (!startsWith(await source.read(start, 4), 'fLaC')) throw new MediaError('unreadable', 'not a FLAC file');
  const { streamInfo, comment, pictures, end } = await readBlocks(source, start + 4);
  const sampleRate = u24(streamInfo, 10) >> 4;
  if (sampleRate === 0) throw new MediaError('unreadable', 'the sample rate is missing');
  const announced = ((streamInfo[13] ?? 0) & 0x0f) * 0x1_0000_0000 + u32(streamInfo, 14);
  const present = await lastSample(source, end, u16(streamInfo, 2));
  if (present === undefined) throw new MediaError('incomplete', 'the file has headers but no audio');
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
  if (streamInfo === undefined) throw new MediaError('unreadable', 'the stream information is missing');
  return { streamInfo, comment, pictures, end: at };
}

/** Returns a picture whose bytes are read only when requested, because a scan does not use most pictures. */
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
/**
 * How many bytes at the end of the file to search for a frame. If they contain none, the file is too damaged to use.
 */
const SEARCH_MAX = 16 * 1024 * 1024;

/**
 * Returns the sample number after the last frame. Frames contain their position, so reading the end of the file is
 * enough.
 */
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

/** A FLAC frame header. Its checksum rules out most false matches, and its number gives the position in the stream. */

interface FlacFrame {
  /** First sample after this frame, counted from the start of the stream. */
  readonly endSample: number;
}

function flacFrameAt(bytes: Uint8Array, at: number, fixedBlockSize: number): FlacFrame | undefined {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xfe) !== 0xf8) return undefined;
  const third = bytes[at + 2] ?? 0;
  const sizeCode = third >> 4;
  const rateCode = third & 0x0f;
  if (sizeCode === 0 || rateCode === 15) return undefined;
  const number = codedNumber(bytes, at + 4);
  if (number === undefined) return undefined;
  let next = number.next;
  let blockSize = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
  if (sizeCode === 6) blockSize = (bytes[next++] ?? 0) + 1;
  if (sizeCode === 7) {
    blockSize = ((bytes[next] ?? 0) << 8) + (bytes[next + 1] ?? 0) + 1;
    next += 2;
  }
  next += rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  if (next >= bytes.length || crc8(bytes, at, next) !== bytes[next]) return undefined;
  const start = (second & 1) === 1 ? number.value : number.value * fixedBlockSize;
  return { endSample: start + blockSize };
}

/** Decodes a number of up to 36 bits in FLAC's extended UTF-8 coding. */
function codedNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | undefined {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { value: first, next: at + 1 };
  const extra = Math.clz32(~(first << 24)) - 1;
  if (extra < 1 || extra > 6) return undefined;
  let value = first & (0x3f >> extra);
  for (let n = 1; n <= extra; n++) {
    const byte = bytes[at + n] ?? 0;
    if ((byte & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, next: at + 1 + extra };
}

const TABLE = Uint8Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80) === 0 ? crc << 1 : ((crc << 1) ^ 0x07) & 0xff;
  return crc;
});

function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = TABLE[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}
