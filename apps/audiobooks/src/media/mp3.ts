import type { ChapterMark } from '../model/chapters.ts';
import { readId3, readId3v1 } from './id3.ts';
import { type ByteSource, MediaError, startsWith, u32, u32le, windowed } from './source.ts';
import type { Found, Picture, TagEntry } from './tags.ts';

/** Maximum number of bytes to search for the first frame. */
const SEARCH = 256 * 1024;

export async function readMp3(file: ByteSource): Promise<Found> {
  const source = windowed(file);
  const tags = await leadingTags(source);
  const end = await endOfSound(source);
  const first = await firstFrame(source, tags.end, end);
  const info = await infoOf(source, first);
  const counted = await countFrames(file, first.offset, end, first.header, info);
  const entries = tags.entries.length > 0 ? tags.entries : ((await readId3v1(source)) ?? []);
  const { sampleRate, layer, version } = first.header;
  const durationMs = Math.round((counted.frames * first.header.samples * 1000) / sampleRate);
  if (durationMs === 0) throw new MediaError('unreadable', 'no audio frames found');
  const announced = info?.frames ?? 0;
  // A truncated file has fewer frames than it declares. Some encoders declare one frame too many.
  const missing = announced - counted.frames;
  return {
    stream: { codec: layer === 3 ? 'mp3' : `mp${layer}`, sampleRate, channels: first.channels, profile: `${version}` },
    durationMs,
    chapters: tags.chapters,
    entries,
    pictures: tags.pictures,
    sound: { offset: first.offset, length: end - first.offset },
    isIncomplete: missing > 3 && missing > announced / 200,
  };
}

interface Leading {
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  readonly chapters: readonly ChapterMark[];
  readonly end: number;
}

/** Reads the tags before the audio. If a file has several in a row, uses the first one and skips the others. */
async function leadingTags(source: ByteSource): Promise<Leading> {
  let found: Leading = { entries: [], pictures: [], chapters: [], end: 0 };
  for (let count = 0; count < 8; count++) {
    const tag = await readId3(source, found.end);
    if (tag === undefined) break;
    found = found.entries.length > 0 ? { ...found, end: tag.end } : tag;
  }
  return found;
}

/** Returns the end of the audio, before trailing ID3v1 and APE tags. */
async function endOfSound(source: ByteSource): Promise<number> {
  let end = source.size;
  if (end >= 128 && startsWith(await source.read(end - 128, 3), 'TAG')) end -= 128;
  if (end < 32) return end;
  const footer = await source.read(end - 32, 32);
  if (!startsWith(footer, 'APETAGEX')) return end;
  const hasHeader = (u32le(footer, 20) & 0x8000_0000) !== 0;
  return Math.max(0, end - u32le(footer, 12) - (hasHeader ? 32 : 0));
}

interface FirstFrame {
  readonly offset: number;
  readonly header: FrameHeader;
  readonly channels: number;
}

/** Accepts a frame only if another frame of the stream follows it, because other data also contains the byte 0xFF. */
async function firstFrame(source: ByteSource, start: number, end: number): Promise<FirstFrame> {
  const bytes = (await source.read(start, Math.min(SEARCH, Math.max(0, end - start)))).slice();
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const header = headerAt(bytes, at);
    if (header === undefined) continue;
    const next = at + header.length;
    const follower = headerAt(bytes, next);
    const isLast = start + next === end && at === 0;
    if (isLast || (follower !== undefined && sameStream(header, follower))) {
      return { offset: start + at, header, channels: channelsAt(bytes, at) };
    }
  }
  throw new MediaError('unreadable', 'no audio found');
}

interface Info {
  readonly frames: number | undefined;
  readonly bytes: number | undefined;
}

/** Reads the frame count (Xing, Info, VBRI) that many files store in place of the first audio frame. */
async function infoOf(source: ByteSource, first: FirstFrame): Promise<Info | undefined> {
  const frame = await source.read(first.offset, Math.min(first.header.length, 256));
  const sideInfo = first.header.version === 1 ? (first.channels === 1 ? 17 : 32) : first.channels === 1 ? 9 : 17;
  const at = 4 + sideInfo;
  if (startsWith(frame, 'Xing', at) || startsWith(frame, 'Info', at)) {
    const flags = u32(frame, at + 4);
    const frames = (flags & 1) === 0 ? undefined : u32(frame, at + 8);
    const bytes = (flags & 3) === 3 ? u32(frame, at + 12) : undefined;
    return { frames, bytes };
  }
  if (startsWith(frame, 'VBRI', 36)) return { frames: u32(frame, 36 + 14), bytes: u32(frame, 36 + 10) };
  return undefined;
}

/**
 * Counts the frames of a stream. Does not estimate their number from the bit rate: if the bit rate varies, the estimate
 * can be off by half. If the file declares the number and cheap checks confirm it, returns the declared number.
 */
async function countFrames(
  source: ByteSource,
  start: number,
  end: number,
  first: FrameHeader,
  info: { readonly frames: number | undefined; readonly bytes: number | undefined } | undefined,
): Promise<{ readonly frames: number }> {
  // The frame that declares the count has no audio, so counting starts after it.
  const from = info === undefined ? start : start + first.length;
  if (info?.frames !== undefined && info.bytes !== undefined) {
    const isWhole = Math.abs(info.bytes - (end - start)) <= first.length;
    if (isWhole && (await samplesAgree(source, from, end, first, info.frames))) return { frames: info.frames };
  }
  return { frames: await countAll(source, from, end, first) };
}

const CHUNK = 1024 * 1024;
/** Counting stops after this many consecutive bytes without a frame. */
const GARBAGE_MAX = 64 * CHUNK;

async function countAll(source: ByteSource, start: number, end: number, first: FrameHeader): Promise<number> {
  let frames = 0;
  let at = start;
  let lastFrame = start;
  while (at + 4 <= end && at - lastFrame < GARBAGE_MAX) {
    const bytes = await source.read(at, Math.min(CHUNK, end - at));
    if (bytes.length < 4) break;
    const walked = walk(bytes, first, at + bytes.length >= end);
    frames += walked.frames;
    at += Math.max(walked.used, 1);
    if (walked.frames > 0) lastFrame = at;
  }
  return frames;
}

/** Returns the number of frames in a chunk and the number of bytes used; the next chunk starts after these bytes. */
function walk(
  bytes: Uint8Array,
  first: FrameHeader,
  isEnd: boolean,
): { readonly frames: number; readonly used: number } {
  let frames = 0;
  let at = 0;
  // Leaves the last 4 KiB for the next chunk: after damage, a frame counts only if another frame follows it.
  const last = isEnd ? bytes.length - 4 : bytes.length - 4096;
  while (at <= last) {
    const header = headerAt(bytes, at);
    if (header !== undefined && sameStream(header, first)) {
      // Players skip a truncated last frame.
      if (at + header.length > bytes.length) return { frames, used: bytes.length };
      frames += 1;
      at += header.length;
      continue;
    }
    at = nextFrame(bytes, at + 1, first);
    if (at < 0) return { frames, used: isEnd ? bytes.length : Math.max(1, last) };
  }
  return { frames, used: at };
}

/** Finds the next frame that is followed by another frame of the stream or ends exactly with the chunk. */
function nextFrame(bytes: Uint8Array, start: number, first: FrameHeader): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = headerAt(bytes, at);
    if (header === undefined || !sameStream(header, first)) continue;
    const next = at + header.length;
    const follower = headerAt(bytes, next);
    if (next === bytes.length || (follower !== undefined && sameStream(follower, first))) return at;
  }
  return -1;
}

const SAMPLE = 32 * 1024;
const TOLERANCE = 0.3;

/** Returns whether the average frame length at three places in the file matches the declared frame count. */
async function samplesAgree(
  source: ByteSource,
  start: number,
  end: number,
  first: FrameHeader,
  frames: number,
): Promise<boolean> {
  const expected = (end - start) / frames;
  if (!Number.isFinite(expected) || end - start < SAMPLE * 4) return false;
  let counted = 0;
  let bytes = 0;
  for (const at of [start, start + Math.floor((end - start) / 2), end - SAMPLE]) {
    const piece = await source.read(at, SAMPLE);
    const from = Math.max(0, nextFrame(piece, 0, first));
    const walked = walk(piece.subarray(from), first, true);
    if (walked.frames === 0) return false;
    counted += walked.frames;
    bytes += walked.used;
  }
  return Math.abs(bytes / counted / expected - 1) <= TOLERANCE;
}

/** An MPEG audio frame header: four bytes that determine the length of the frame and its number of samples. */

interface FrameHeader {
  readonly length: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly layer: number;
  /** MPEG version: 1, 2 or 2.5. */
  readonly version: number;
}

const RATES: readonly (readonly number[])[] = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
];
const BITRATES_1: readonly (readonly number[])[] = [
  [],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
];
const BITRATES_2: readonly (readonly number[])[] = [
  [],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
];

function compute(second: number, third: number): FrameHeader | undefined {
  const versionBits = (second >> 3) & 3;
  const layerBits = (second >> 1) & 3;
  const sampleRate = RATES[versionBits]?.[(third >> 2) & 3];
  const bitrate = (versionBits === 3 ? BITRATES_1 : BITRATES_2)[layerBits]?.[(third >> 4) - 1];
  if ((second & 0xe0) !== 0xe0 || sampleRate === undefined || bitrate === undefined) return undefined;
  const layer = 4 - layerBits;
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && versionBits !== 3 ? 576 : 1152;
  const length =
    layer === 1
      ? (Math.floor((12 * bitrate * 1000) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * bitrate * 1000) / sampleRate) + padding;
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5;
  return { length, samples, sampleRate, channels: 2, layer, version };
}

/** All possible headers, indexed by their second and third byte, so that counting needs one lookup per frame. */
const HEADERS: readonly (FrameHeader | undefined)[] = Array.from({ length: 0x1_0000 }, (_, index) =>
  compute(index >> 8, index & 0xff),
);

function headerAt(bytes: Uint8Array, offset: number): FrameHeader | undefined {
  if (bytes[offset] !== 0xff) return undefined;
  return HEADERS[((bytes[offset + 1] ?? 0) << 8) | (bytes[offset + 2] ?? 0)];
}

function channelsAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset + 3] ?? 0) & 0xc0) === 0xc0 ? 1 : 2;
}

/** Returns whether two frames belong to one stream. Within a stream, bit rate and padding may differ. */
function sameStream(left: FrameHeader, right: FrameHeader): boolean {
  return left.sampleRate === right.sampleRate && left.layer === right.layer && left.version === right.version;
}
