import type { ChapterMark } from '../model/chapters.ts';
import { type ByteSource, latin1, memorySource, name4, startsWith, syncSafe, u24, u32, utf16, utf8 } from './source.ts';
import { LIMITS, type Picture, type TagEntry } from './tags.ts';

interface Id3 {
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  readonly chapters: readonly ChapterMark[];
  /** Offset of the first byte after the tag. */
  readonly end: number;
}

const HEADER = 10;
/** Maximum size of an unsynchronised tag. It is limited because such a tag is decoded in memory. */
const UNSYNCHRONISED_MAX = 16 * 1024 * 1024;

/** Reads an ID3v2 tag at this offset; returns undefined if there is none. */
export async function readId3(source: ByteSource, offset: number): Promise<Id3 | undefined> {
  const header = await source.read(offset, HEADER);
  if (header.length < HEADER || !startsWith(header, 'ID3')) return undefined;
  const version = header[3] ?? 0;
  const flags = header[5] ?? 0;
  const size = syncSafe(header, 6);
  const hasFooter = version === 4 && (flags & 0x10) !== 0;
  const end = offset + HEADER + size + (hasFooter ? HEADER : 0);
  const nothing = { entries: [], pictures: [], chapters: [], end };
  if (version < 2 || version > 4) return nothing;
  const isUnsynchronised = version < 4 && (flags & 0x80) !== 0;
  let body: TagBody = source;
  let start = offset + HEADER;
  let stop = Math.min(start + size, source.size);
  if (isUnsynchronised) {
    const raw = await source.read(start, Math.min(size, UNSYNCHRONISED_MAX));
    body = { ...memorySource(undoUnsynchronisation(raw)), isDecoded: true };
    start = 0;
    stop = body.size;
  }
  if (version > 2 && (flags & 0x40) !== 0) start += await extendedHeaderSize(body, start, version);
  return { ...(await readFrames(body, start, stop, version)), end };
}

async function extendedHeaderSize(body: ByteSource, start: number, version: number): Promise<number> {
  const header = await body.read(start, 4);
  return version === 4 ? Math.max(4, syncSafe(header, 0)) : 4 + u32(header, 0);
}

/** The file, or the decoded bytes of an unsynchronised tag (`isDecoded`). */
type TagBody = ByteSource & { readonly isDecoded?: boolean };

interface Frame {
  readonly id: string;
  readonly offset: number;
  readonly size: number;
  readonly isUnsynchronised: boolean;
  readonly isOpaque: boolean;
}

async function readFrames(body: TagBody, start: number, stop: number, version: number): Promise<Omit<Id3, 'end'>> {
  const entries: TagEntry[] = [];
  const pictures: Picture[] = [];
  const chapters: ChapterMark[] = [];
  const sizeOf = version === 4 ? frameSize4 : u32;
  let frames = 0;
  for (let at = start; at < stop && frames < LIMITS.chapters * 2; frames++) {
    const frame = await frameAt(body, at, stop, version);
    if (frame === undefined) break;
    at = frame.offset + frame.size;
    if (frame.isOpaque || frame.size === 0) continue;
    if (frame.id === 'APIC' || frame.id === 'PIC') {
      const picture = await pictureOf(body, frame);
      if (picture !== undefined && pictures.length < LIMITS.pictures) pictures.push(picture);
      continue;
    }
    const isWanted = frame.id === 'CHAP' || frame.id.startsWith('T') || /^(COM|COMM|MVNM|MVIN|GRP1)$/.test(frame.id);
    if (!isWanted || frame.size > LIMITS.textBytes || entries.length >= LIMITS.entries) continue;
    const content = await contentOf(body, frame);
    const chapter = frame.id === 'CHAP' ? chapterOf(content, sizeOf) : undefined;
    if (chapter !== undefined && chapters.length < LIMITS.chapters) chapters.push(chapter);
    if (frame.id !== 'CHAP') entries.push(...frameEntries(frame.id, content));
  }
  return { entries, pictures, chapters };
}

async function frameAt(body: ByteSource, at: number, stop: number, version: number): Promise<Frame | undefined> {
  const headerSize = version === 2 ? 6 : 10;
  if (at + headerSize > stop) return undefined;
  const header = (await body.read(at, 10)).slice();
  const id = version === 2 ? latin1(header, 0, 3) : name4(header, 0);
  if (!/^[A-Z0-9]{3,4}$/.test(id)) return undefined;
  let size = version === 2 ? u24(header, 3) : version === 4 ? frameSize4(header, 4) : u32(header, 4);
  // Some iTunes versions write ID3v2.3 sizes into ID3v2.4 tags. Uses the 2.3 size if only this size leads to another
  // frame.
  if (version === 4 && size > 0x7f && (await leadsToFrame(body, at + 10 + u32(header, 4), stop))) {
    if (!(await leadsToFrame(body, at + 10 + size, stop))) size = u32(header, 4);
  }
  if (at + headerSize + size > stop) return undefined;
  const flags = version === 2 ? 0 : (header[9] ?? 0);
  const isOpaque = version === 4 ? (flags & 0x0c) !== 0 : (flags & 0xc0) !== 0;
  // With this flag, the content starts with four bytes that declare its decoded length.
  const skip = version === 4 && (flags & 0x01) !== 0 ? 4 : 0;
  return {
    id,
    offset: at + headerSize + Math.min(skip, size),
    size: Math.max(0, size - skip),
    isUnsynchronised: version === 4 && (flags & 0x02) !== 0,
    isOpaque,
  };
}

/** Sizes in ID3v2.4 use seven bits per byte. ffmpeg wrongly uses all eight bits in its table-of-contents frame. */
function frameSize4(bytes: Uint8Array, offset: number): number {
  const isPlain = bytes.subarray(offset, offset + 4).some((byte) => byte >= 0x80);
  return isPlain ? u32(bytes, offset) : syncSafe(bytes, offset);
}

async function leadsToFrame(body: ByteSource, at: number, stop: number): Promise<boolean> {
  if (at === stop) return true;
  if (at + 10 > stop) return false;
  const next = await body.read(at, 4);
  return /^([A-Z0-9]{4}|\0{4})$/.test(name4(next, 0));
}

async function contentOf(body: ByteSource, frame: Frame): Promise<Uint8Array> {
  const bytes = await body.read(frame.offset, frame.size);
  return frame.isUnsynchronised ? undoUnsynchronisation(bytes) : bytes;
}

async function pictureOf(body: TagBody, frame: Frame): Promise<Picture | undefined> {
  if (frame.size > LIMITS.pictureBytes) return undefined;
  const head = await body.read(frame.offset, Math.min(frame.size, 1024));
  const described = pictureHeader(frame.id, head);
  if (described === undefined || described.start >= frame.size) return undefined;
  const { mime, isFront, start } = described;
  const bytes = async (): Promise<Uint8Array> => (await contentOf(body, frame)).slice(start);
  const isAsItIs = !frame.isUnsynchronised && !body.isDecoded;
  return { mime, isFront, offset: isAsItIs ? frame.offset + start : -1, length: frame.size - start, bytes };
}

/** Reads the ID3v1 tag in the last 128 bytes, for files without any other tag. */
export async function readId3v1(source: ByteSource): Promise<readonly TagEntry[] | undefined> {
  if (source.size < 128) return undefined;
  const bytes = await source.read(source.size - 128, 128);
  if (!startsWith(bytes, 'TAG')) return undefined;
  const text = (start: number, length: number): string =>
    (latin1(bytes, start, start + length).split('\0')[0] ?? '').trim();
  const entries: TagEntry[] = [
    ['TITLE', text(3, 30)],
    ['ARTIST', text(33, 30)],
    ['ALBUM', text(63, 30)],
    ['DATE', text(93, 4)],
  ];
  const track = bytes[126] ?? 0;
  if (bytes[125] === 0 && track > 0) entries.push(['TRACK', String(track)]);
  return entries.filter(([, value]) => value !== '');
}

/** Maps frame ids of ID3v2.2, 2.3 and 2.4 to names that are the same for all formats. */
const NAMES: Readonly<Record<string, string>> = {
  TIT1: 'GROUPING',
  TT1: 'GROUPING',
  GRP1: 'GROUPING',
  TIT2: 'TITLE',
  TT2: 'TITLE',
  TIT3: 'SUBTITLE',
  TT3: 'SUBTITLE',
  TALB: 'ALBUM',
  TAL: 'ALBUM',
  TPE1: 'ARTIST',
  TP1: 'ARTIST',
  TPE2: 'ALBUMARTIST',
  TP2: 'ALBUMARTIST',
  TCOM: 'COMPOSER',
  TCM: 'COMPOSER',
  TCON: 'GENRE',
  TCO: 'GENRE',
  TYER: 'DATE',
  TYE: 'DATE',
  TDRC: 'DATE',
  TDRL: 'RELEASEDATE',
  TPUB: 'PUBLISHER',
  TPB: 'PUBLISHER',
  TLAN: 'LANGUAGE',
  TLA: 'LANGUAGE',
  TRCK: 'TRACK',
  TRK: 'TRACK',
  TPOS: 'DISC',
  TPA: 'DISC',
  MVNM: 'SERIES',
  MVIN: 'SERIES-PART',
};

function frameEntries(id: string, body: Uint8Array): readonly TagEntry[] {
  const encoding = body[0] ?? 0;
  if (id === 'TXXX' || id === 'TXX') {
    const { end, next } = textEnd(encoding, body, 1);
    const name = decodeText(encoding, body.subarray(1, end)).toUpperCase();
    return decodeValues(encoding, body.subarray(next)).map((value) => [name, value] as const);
  }
  if (id === 'COMM' || id === 'COM') {
    const { end, next } = textEnd(encoding, body, 4);
    // Skips comments in which iTunes stores internal numbers.
    if (decodeText(encoding, body.subarray(4, end)).startsWith('iTun')) return [];
    return decodeValues(encoding, body.subarray(next)).map((value) => ['COMMENT', value] as const);
  }
  const name = NAMES[id];
  if (name === undefined) return [];
  return decodeValues(encoding, body.subarray(1)).map((value) => [name, value] as const);
}

function pictureHeader(
  id: string,
  body: Uint8Array,
): { readonly mime: string; readonly isFront: boolean; readonly start: number } | undefined {
  const encoding = body[0] ?? 0;
  if (id === 'PIC') {
    const mime = latin1(body, 1, 4).toLowerCase() === 'png' ? 'image/png' : 'image/jpeg';
    return { mime, isFront: body[4] === 3, start: textEnd(encoding, body, 5).next };
  }
  if (id !== 'APIC') return undefined;
  const { end, next } = textEnd(0, body, 1);
  return {
    mime: latin1(body, 1, end).toLowerCase(),
    isFront: body[next] === 3,
    start: textEnd(encoding, body, next + 1).next,
  };
}

/** Parses a chapter frame: id, times in milliseconds, byte offsets, and subframes including the title. */
function chapterOf(
  body: Uint8Array,
  frameSize: (bytes: Uint8Array, offset: number) => number,
): ChapterMark | undefined {
  const { next } = textEnd(0, body, 0);
  if (next + 16 > body.length) return undefined;
  let title = '';
  for (let at = next + 16; at + 10 <= body.length;) {
    const size = frameSize(body, at + 4);
    if (latin1(body, at, at + 4) === 'TIT2' && at + 10 + size <= body.length) {
      title = decodeValues(body[at + 10] ?? 0, body.subarray(at + 11, at + 10 + size))[0] ?? '';
    }
    at += 10 + size;
  }
  return { title, startMs: u32(body, next) };
}

function decodeText(encoding: number, bytes: Uint8Array): string {
  if (encoding === 3) return utf8(bytes);
  if (encoding === 2) return utf16(bytes, false);
  if (encoding !== 1) return latin1(bytes);
  const hasMark =
    bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return utf16(hasMark ? bytes.subarray(2) : bytes, !(hasMark && bytes[0] === 0xfe));
}

/** Splits at NUL; each value may have its own byte order mark. */
function decodeValues(encoding: number, bytes: Uint8Array): readonly string[] {
  return decodeText(encoding, bytes)
    .split('\0')
    .map((value) => value.replace(/^[\uFEFF\uFFFE]/u, '').trim())
    .filter((value) => value !== '');
}

/** Returns the position of the terminating NUL and the start of the next field. */
function textEnd(encoding: number, bytes: Uint8Array, start: number): { readonly end: number; readonly next: number } {
  const isWide = encoding === 1 || encoding === 2;
  if (!isWide) {
    const end = bytes.indexOf(0, start);
    return end < 0 ? { end: bytes.length, next: bytes.length } : { end, next: end + 1 };
  }
  for (let at = start; at + 1 < bytes.length; at += 2) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return { end: at, next: at + 2 };
  }
  return { end: bytes.length, next: bytes.length };
}

/**
 * Unsynchronisation writes 0xFF as 0xFF 0x00, so that players do not mistake the byte for the start of an audio frame.
 */
function undoUnsynchronisation(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    result[length++] = byte;
    if (byte === 0xff && bytes[index + 1] === 0) index++;
  }
  return result.subarray(0, length);
}
