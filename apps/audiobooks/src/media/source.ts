/** Access to a file in chunks, so that no reader holds a whole file in memory. */
export interface ByteSource {
  readonly size: number;
  /**
   * Returns `length` bytes, or fewer at the end of the file. The caller may keep a result of up to 64 KiB; a larger
   * result is valid only until the next read.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A result of up to this size stays valid after the next read, so the caller may keep it. */
export const KEPT_MAX = 64 * 1024;

export class MediaError extends Error {
  readonly kind: 'unreadable' | 'incomplete';

  constructor(kind: 'unreadable' | 'incomplete', message: string) {
    super(message);
    this.name = 'MediaError';
    this.kind = kind;
  }
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

const WINDOW = 32 * 1024;
/** Maximum number of reads per file. Without it, a hostile file could cause hours of reading. */
const READS_MAX = 3_000_000;

const isWindowed = new WeakSet<ByteSource>();

interface Window {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * Serves small reads from a window in memory, so that reading many headers stays fast. Uses two windows, because
 * readers alternate between the start and the end of a file.
 */
export function windowed(source: ByteSource): ByteSource {
  if (isWindowed.has(source)) return source;
  let recent: Window = { start: 0, bytes: new Uint8Array(0) };
  let other = recent;
  let reads = 0;
  const load = async (offset: number): Promise<Window> => {
    // Near the end of the file, moves the window back so that it ends with the file, because the next reads come before
    // this offset.
    const start = Math.max(0, Math.min(offset, source.size - WINDOW));
    return { start, bytes: await source.read(start, Math.min(WINDOW, source.size - start)) };
  };
  const result: ByteSource = {
    size: source.size,
    async read(offset, length) {
      reads += 1;
      if (reads > READS_MAX) throw new MediaError('unreadable', 'the file has too many parts to be a recording');
      if (offset >= source.size || length <= 0) return new Uint8Array(0);
      const end = Math.min(offset + length, source.size);
      if (!covers(recent, offset, end)) {
        const isInOther = covers(other, offset, end);
        if (!isInOther && end - offset > WINDOW / 2) return source.read(offset, end - offset);
        const next = isInOther ? other : await load(offset);
        other = recent;
        recent = next;
      }
      return recent.bytes.subarray(offset - recent.start, end - recent.start);
    },
  };
  isWindowed.add(result);
  return result;
}

const covers = ({ start, bytes }: Window, offset: number, end: number): boolean =>
  offset >= start && end <= start + bytes.length;

/** Throws if the file ends before `length` bytes. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw new MediaError('incomplete', `the file is cut off after ${source.size} bytes`);
  return bytes;
}

/**
 * Functions that read numbers and text from bytes. Bytes beyond the end count as zero; callers check lengths if they
 * matter.
 */

const at = (bytes: Uint8Array, offset: number): number => bytes[offset] ?? 0;

export const u16 = (bytes: Uint8Array, offset: number): number => at(bytes, offset) * 0x100 + at(bytes, offset + 1);

export const u24 = (bytes: Uint8Array, offset: number): number => u16(bytes, offset) * 0x100 + at(bytes, offset + 2);

export const u32 = (bytes: Uint8Array, offset: number): number =>
  u16(bytes, offset) * 0x1_0000 + u16(bytes, offset + 2);

/** Reads 64 bits. Loses precision above 2^53, but only hostile files contain such numbers. */
export const u64 = (bytes: Uint8Array, offset: number): number =>
  u32(bytes, offset) * 0x1_0000_0000 + u32(bytes, offset + 4);

export const u32le = (bytes: Uint8Array, offset: number): number =>
  at(bytes, offset) +
  at(bytes, offset + 1) * 0x100 +
  at(bytes, offset + 2) * 0x1_0000 +
  at(bytes, offset + 3) * 0x100_0000;

/** Reads a signed number, because the granule -1 means that no packet ends on the page. */
export const i64le = (bytes: Uint8Array, offset: number): number => {
  const high = u32le(bytes, offset + 4);
  return (high >= 0x8000_0000 ? high - 0x1_0000_0000 : high) * 0x1_0000_0000 + u32le(bytes, offset);
};

/** Reads a number of four bytes with seven bits each, as in ID3. */
export const syncSafe = (bytes: Uint8Array, offset: number): number =>
  (at(bytes, offset) & 0x7f) * 0x20_0000 +
  (at(bytes, offset + 1) & 0x7f) * 0x4000 +
  (at(bytes, offset + 2) & 0x7f) * 0x80 +
  (at(bytes, offset + 3) & 0x7f);

export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  // Windows programs label text in windows-1252 as Latin-1.
  return new TextDecoder('windows-1252').decode(bytes.subarray(start, end));
}

export function name4(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(at(bytes, offset), at(bytes, offset + 1), at(bytes, offset + 2), at(bytes, offset + 3));
}

export function utf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

export function utf16(bytes: Uint8Array, isLittleEndian: boolean): string {
  return new TextDecoder(isLittleEndian ? 'utf-16le' : 'utf-16be').decode(bytes);
}

export function startsWith(bytes: Uint8Array, text: string, offset = 0): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  return true;
}
