import type { Chapter } from '../model/chapters.ts';
import { name4, u32 } from './source.ts';

/**
 * Writes chapters in both forms that players read: a text track (QuickTime, iTunes) and Nero's list. Changes only the
 * index (`moov`) and adds the titles, so the audio stays where it is.
 */

/** A box with its content, without the header. */
interface Box {
  readonly name: string;
  readonly content: Buffer;
}

/** Returns the samples of the text track: each title with its length and its encoding. */
export function chapterTitles(chapters: readonly Chapter[]): readonly Buffer[] {
  return chapters.map(({ title }) => {
    const text = Buffer.from(title);
    return Buffer.concat([number16(text.length), text, box('encd', number32(UTF8))]);
  });
}

const UTF8 = 0x1_00;
const NERO_MAX = 255;
const NERO_TICKS_PER_MS = 10_000n;
const HEADER = 8;

interface NewIndex {
  /** Content of the old `moov` box. */
  readonly moov: Buffer;
  /** Chapters without gaps; the first starts at 0. */
  readonly chapters: readonly Chapter[];
  /** Position in the file of the first sample that `chapterTitles` returns. */
  readonly titlesAt: number;
}

/** Returns a new `moov` box with these chapters instead of the old ones; undefined if the file has no audio track. */
export function indexWithChapters({ moov, chapters, titlesAt }: NewIndex): Buffer | undefined {
  const top = boxesIn(moov);
  const mvhd = top.find(({ name }) => name === 'mvhd')?.content;
  const tracks = top.filter(({ name }) => name === 'trak').map(({ content }) => trackOf(content));
  const sound = tracks.find(({ handler }) => handler === 'soun');
  if (mvhd === undefined || sound === undefined) return undefined;
  const old = new Set(
    tracks.filter(({ id, handler }) => sound.chapters.includes(id) && isText(handler)).map(({ id }) => id),
  );
  const id = Math.max(...tracks.map((track) => track.id)) + 1;
  const others = sound.chapters.filter((reference) => !old.has(reference));
  const durationMs = chapters.at(-1)?.endMs ?? 0;
  const parts: Buffer[] = [];
  for (const { name, content } of top) {
    if (name === 'mvhd') parts.push(box(name, content.subarray(0, -4), number32(id + 1)));
    else if (name === 'udta') parts.push(box(name, ...boxesIn(content).filter(notNero).map(whole)));
    else if (name !== 'trak') parts.push(whole({ name, content }));
    else if (!old.has(trackOf(content).id)) {
      parts.push(
        trackOf(content).id === sound.id ? withReferences(content, [id, ...others]) : whole({ name, content }),
      );
    }
  }
  parts.push(
    textTrack({ id, chapters, titlesAt, durationMs, movieUnits: Math.ceil((durationMs * timescaleOf(mvhd)) / 1_000) }),
  );
  return box('moov', ...withNeroList(parts, chapters));
}

const notNero = ({ name }: Box): boolean => name !== 'chpl';
const isText = (handler: string): boolean => handler === 'text' || handler === 'sbtl';

/** Adds Nero's list to the user data (`udta`), the box that also contains the tags. */
function withNeroList(parts: readonly Buffer[], chapters: readonly Chapter[]): readonly Buffer[] {
  if (chapters.length > NERO_MAX) return parts;
  const at = parts.findIndex((part) => name4(part, 4) === 'udta');
  if (at < 0) return [...parts, box('udta', neroList(chapters))];
  return parts.map((part, index) => (index === at ? box('udta', part.subarray(HEADER), neroList(chapters)) : part));
}

function neroList(chapters: readonly Chapter[]): Buffer {
  const entries = chapters.map(({ title, startMs }) => {
    const text = truncated(title);
    const start = Buffer.alloc(8);
    start.writeBigUInt64BE(BigInt(startMs) * NERO_TICKS_PER_MS);
    return Buffer.concat([start, Buffer.from([text.length]), text]);
  });
  return box('chpl', number32(0x01_00_00_00), number32(0), Buffer.from([chapters.length]), ...entries);
}

/** Cuts a title to 255 bytes, between characters. */
function truncated(title: string): Buffer {
  const text = Buffer.from(title);
  let end = Math.min(text.length, NERO_MAX);
  // Continuation bytes of UTF-8 start with the bits 10.
  while (end < text.length && ((text[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.subarray(0, end);
}

interface Track {
  readonly id: number;
  readonly handler: string;
  /** Ids of the tracks that hold the chapters of this track. */
  readonly chapters: readonly number[];
}

function trackOf(trak: Buffer): Track {
  const [header, media, references] = ['tkhd', 'mdia', 'tref'].map((wanted) => childOf(trak, wanted));
  const chap = references === undefined ? undefined : childOf(references, 'chap');
  const handler = media === undefined ? undefined : childOf(media, 'hdlr');
  return {
    id: header === undefined ? 0 : u32(header, header[0] === 1 ? 20 : 12),
    handler: handler === undefined ? '' : name4(handler, 8),
    chapters: Array.from({ length: (chap?.length ?? 0) >> 2 }, (_, n) => u32(chap ?? Buffer.alloc(0), 4 * n)),
  };
}

function withReferences(trak: Buffer, chapters: readonly number[]): Buffer {
  const children = boxesIn(trak);
  const kept = boxesIn(children.find(({ name }) => name === 'tref')?.content ?? Buffer.alloc(0));
  const references = box(
    'tref',
    box('chap', ...chapters.map(number32)),
    ...kept.filter(({ name }) => name !== 'chap').map(whole),
  );
  const parts = children.filter(({ name }) => name !== 'tref').map(whole);
  return box('trak', ...parts, references);
}

const timescaleOf = (mvhd: Buffer): number => u32(mvhd, mvhd[0] === 1 ? 20 : 12);

interface TextTrack {
  readonly id: number;
  readonly chapters: readonly Chapter[];
  readonly titlesAt: number;
  readonly durationMs: number;
  readonly movieUnits: number;
}

const zeros = (count: number): Buffer => Buffer.alloc(count);

function textTrack({ id, chapters, titlesAt, durationMs, movieUnits }: TextTrack): Buffer {
  // The track is disabled (flags 0): players read it as chapters and do not show it as subtitles.
  const tkhd = box(
    'tkhd',
    zeros(12),
    number32(id),
    zeros(4),
    number32(Math.min(movieUnits, 0xff_ff_ff_ff)),
    zeros(16),
    MATRIX,
    zeros(8),
  );
  const mdhd = box('mdhd', zeros(12), number32(1_000), number32(durationMs), number16(UNDETERMINED), zeros(2));
  const hdlr = box('hdlr', zeros(8), Buffer.from('text'), zeros(12), Buffer.from('Chapters\0'));
  const gmhd = box(
    'gmhd',
    box('gmin', zeros(4), number16(0x40), number16(0x80_00), number16(0x80_00), number16(0x80_00), zeros(4)),
    box('text', MATRIX),
  );
  const dinf = box('dinf', box('dref', zeros(4), number32(1), box('url ', number32(1))));
  return box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', gmhd, dinf, sampleTable(chapters, titlesAt))));
}

function sampleTable(chapters: readonly Chapter[], titlesAt: number): Buffer {
  const count = number32(chapters.length);
  const none = Buffer.alloc(4);
  const entry = box('text', Buffer.alloc(6), number16(1), Buffer.alloc(44));
  const times = chapters.flatMap(({ startMs, endMs }) => [number32(1), number32(endMs - startMs)]);
  const sizes = chapterTitles(chapters).map(({ length }) => number32(length));
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(titlesAt));
  return box(
    'stbl',
    box('stsd', none, number32(1), entry),
    box('stts', none, count, ...times),
    box('stsz', none, number32(0), count, ...sizes),
    box('stsc', none, number32(1), number32(1), count, number32(1)),
    box('co64', none, number32(1), place),
  );
}

/** The identity matrix in fixed-point numbers. */
const MATRIX = Buffer.concat([0x1_00_00, 0, 0, 0, 0x1_00_00, 0, 0, 0, 0x40_00_00_00].map(number32));
/** The language code `und` (undetermined), packed into 15 bits. */
const UNDETERMINED = 0x55_c4;

function childOf(content: Buffer, wanted: string): Buffer | undefined {
  return boxesIn(content).find(({ name }) => name === wanted)?.content;
}

/**
 * Reads the boxes of a container. Stops if the size of a box is invalid or exceeds the container. For example, old user
 * data ends with a zero where the next size would be.
 */
function boxesIn(bytes: Buffer): readonly Box[] {
  const found: Box[] = [];
  for (let at = 0; at + HEADER <= bytes.length;) {
    const size = u32(bytes, at);
    if (size < HEADER || at + size > bytes.length) break;
    found.push({ name: name4(bytes, at + 4), content: bytes.subarray(at + HEADER, at + size) });
    at += size;
  }
  return found;
}

const whole = ({ name, content }: Box): Buffer => box(name, content);

export function box(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.byteLength, HEADER);
  return Buffer.concat([number32(size), Buffer.from(name, 'latin1'), ...parts]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
