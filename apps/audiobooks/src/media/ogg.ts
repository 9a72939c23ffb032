import type { StreamFormat } from '../model/scanned.ts';
import { type ByteSource, i64le, MediaError, startsWith, u16, u24, u32le, windowed } from './source.ts';
import { type Found, LIMITS, readVorbisComment, type VorbisComment } from './tags.ts';

interface Head {
  readonly stream: StreamFormat;
  /** Granules per second; always 48,000 for Opus. */
  readonly clock: number;
  /** Leading samples that are not played. */
  readonly preSkip: number;
  readonly comment: VorbisComment;
}

export async function readOgg(file: ByteSource): Promise<Found> {
  const source = windowed(file);
  const first = await pageAt(source, 0);
  if (first === undefined) throw new MediaError('unreadable', 'not an Ogg file');
  const head = await headAt(source, 0);
  const last = await lastPage(source);
  if (last === undefined) throw new MediaError('incomplete', 'the file has headers but no audio');
  const isChained = last.serial !== first.serial;
  const durationMs = isChained ? await chainedDuration(source) : linkDuration(head, last);
  if (!(durationMs > 0)) throw new MediaError('unreadable', 'the audio has no duration');
  return {
    stream: head.stream,
    durationMs: Math.round(durationMs),
    chapters: head.comment.chapters,
    entries: head.comment.entries,
    pictures: head.comment.pictures,
    sound: { offset: first.end, length: source.size - first.end },
    isIncomplete: !last.isLast,
  };
}

const linkDuration = (head: Head, last: Page): number => (Math.max(0, last.granule - head.preSkip) * 1000) / head.clock;

/** Adds up the durations of chained streams; the sample count of each stream starts at zero. */
async function chainedDuration(source: ByteSource): Promise<number> {
  let total = 0;
  let head: Head | undefined;
  let latest: Page | undefined;
  for (let at = 0; at < source.size;) {
    const page = await pageAt(source, at);
    if (page === undefined) break;
    if (page.isFirst) {
      if (head !== undefined && latest !== undefined) total += linkDuration(head, latest);
      head = await headAt(source, at);
      latest = undefined;
    }
    if (page.granule >= 0) latest = page;
    at = page.end;
  }
  return head === undefined || latest === undefined ? total : total + linkDuration(head, latest);
}

function stream(codec: string, sampleRate: number, channels: number): StreamFormat {
  return { codec, sampleRate, channels, profile: '' };
}

async function headAt(source: ByteSource, offset: number): Promise<Head> {
  const [id = new Uint8Array(0), tags = new Uint8Array(0)] = await firstPackets(
    source,
    offset,
    2,
    LIMITS.pictureBytes * 1.4,
  );
  if (startsWith(id, '\u0001vorbis')) {
    const rate = u32le(id, 12);
    if (rate === 0) throw new MediaError('unreadable', 'the sample rate is missing');
    const comment = readVorbisComment(tags.subarray(7));
    return { stream: stream('vorbis', rate, id[11] ?? 0), clock: rate, preSkip: 0, comment };
  }
  if (startsWith(id, 'OpusHead')) {
    const preSkip = (id[10] ?? 0) + (id[11] ?? 0) * 256;
    const comment = readVorbisComment(tags.subarray(8));
    return { stream: stream('opus', 48_000, id[9] ?? 0), clock: 48_000, preSkip, comment };
  }
  if (startsWith(id, '\u007fFLAC')) {
    // The FLAC stream info comes after 13 bytes of mapping and a four-byte block header.
    const info = id.subarray(17);
    const rate = u24(info, 10) >> 4;
    if (rate === 0 || u16(info, 0) === 0) throw new MediaError('unreadable', 'the sample rate is missing');
    const comment = readVorbisComment(tags.subarray(4));
    return { stream: stream('flac', rate, (((info[12] ?? 0) >> 1) & 7) + 1), clock: rate, preSkip: 0, comment };
  }
  throw new MediaError('unreadable', 'the audio codec is not supported');
}

/** An Ogg page: a header with a table of lengths, then packet segments. */
interface Page {
  readonly serial: number;
  /** Number of samples up to this page; -1 if no packet ends on this page. */
  readonly granule: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly bodyStart: number;
  readonly end: number;
  /** Lengths of the segments; 255 means that the packet continues in the next segment. */
  readonly lacing: Uint8Array;
}

function pageIn(bytes: Uint8Array, at: number, base: number): Page | undefined {
  if (!startsWith(bytes, 'OggS', at) || bytes[at + 4] !== 0) return undefined;
  const segments = bytes[at + 26] ?? 0;
  if (at + 27 + segments > bytes.length) return undefined;
  const lacing = bytes.slice(at + 27, at + 27 + segments);
  const bodyStart = base + at + 27 + segments;
  const flags = bytes[at + 5] ?? 0;
  return {
    serial: u32le(bytes, at + 14),
    granule: i64le(bytes, at + 6),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    bodyStart,
    end: bodyStart + lacing.reduce((sum, length) => sum + length, 0),
    lacing,
  };
}

async function pageAt(source: ByteSource, offset: number): Promise<Page | undefined> {
  return pageIn(await source.read(offset, 27 + 255), 0, offset);
}

const TAIL = 192 * 1024;

/** Finds the last page that has a sample count. Searches only the last chunk of the file. */
async function lastPage(source: ByteSource): Promise<Page | undefined> {
  const start = Math.max(0, source.size - TAIL);
  const bytes = (await source.read(start, source.size - start)).slice();
  for (let at = bytes.lastIndexOf(0x4f); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0x4f, at - 1)) {
    const page = pageIn(bytes, at, start);
    if (page !== undefined && page.granule >= 0 && page.end <= source.size) return page;
  }
  return undefined;
}

/** Assembles the first packets of one stream: at most `count` packets, each of at most `max` bytes. */
async function firstPackets(
  source: ByteSource,
  start: number,
  count: number,
  max: number,
): Promise<readonly Uint8Array[]> {
  const packets: Uint8Array[] = [];
  let pieces: Uint8Array[] = [];
  let length = 0;
  let serial: number | undefined;
  for (let at = start; packets.length < count;) {
    const page = await pageAt(source, at);
    if (page === undefined) break;
    at = page.end;
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    const body = (await source.read(page.bodyStart, page.end - page.bodyStart)).slice();
    let offset = 0;
    for (const size of page.lacing) {
      if (length < max) pieces.push(body.subarray(offset, offset + size));
      offset += size;
      length += size;
      if (size === 255) continue;
      packets.push(Buffer.concat(pieces));
      pieces = [];
      length = 0;
    }
  }
  return packets.slice(0, count);
}
