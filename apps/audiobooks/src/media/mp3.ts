import type { ChapterMark } from '../model/chapters.ts';
import { startsWith, u32, u32le } from './bytes.ts';
import type { Found, Picture, TagEntry } from './found.ts';
import { readId3, readId3v1 } from './id3.ts';
import { countFrames } from './mp3-count.ts';
import { channelsAt, type FrameHeader, headerAt, sameStream } from './mp3-frame.ts';
import { type ByteSource, MediaError, windowed } from './source.ts';

/** How far to search for the first frame. */
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
  if (durationMs === 0) throw new MediaError('unreadable', 'it has no frame of sound');
  const announced = info?.frames ?? 0;
  // A truncated file has fewer frames than it declares; some encoders declare one too many.
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

/** Some files have several tags in a row: uses the first and skips the others. */
async function leadingTags(source: ByteSource): Promise<Leading> {
  let found: Leading = { entries: [], pictures: [], chapters: [], end: 0 };
  for (let count = 0; count < 8; count++) {
    const tag = await readId3(source, found.end);
    if (tag === undefined) break;
    found = found.entries.length > 0 ? { ...found, end: tag.end } : tag;
  }
  return found;
}

/** Excludes the trailing ID3v1 and APE tags. */
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

/** Requires a following frame of the same stream, because 0xFF occurs everywhere. */
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
  throw new MediaError('unreadable', 'there is no sound in it');
}

interface Info {
  readonly frames: number | undefined;
  readonly bytes: number | undefined;
}

/** Reads the frame count (Xing, Info, VBRI) that many files have in place of a first audio frame. */
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
