/** Bytes somewhere, read piece by piece: a reader of media never has a whole file in memory. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes; fewer only at the end. Up to 64 KiB are the caller's, more is good until the next read. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Largest read whose buffer the caller may keep. */
export const KEPT_MAX = 64 * 1024;

/** A file whose content does not match its extension. */
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
/** Enough for the longest real file; a hostile one could send a reader from header to header for hours. */
const READS_MAX = 3_000_000;

const isWindowed = new WeakSet<ByteSource>();

interface Window {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * Small reads near each other are answered from a window, so that hopping from header to header stays cheap. There are
 * two, because the beginning and the end of a file are looked at in turns.
 */
export function windowed(source: ByteSource): ByteSource {
  if (isWindowed.has(source)) return source;
  let recent: Window = { start: 0, bytes: new Uint8Array(0) };
  let other = recent;
  let reads = 0;
  const load = async (offset: number): Promise<Window> => {
    // Near the end, the window ends with the file: what is looked at next is before it.
    const start = Math.max(0, Math.min(offset, source.size - WINDOW));
    return { start, bytes: await source.read(start, Math.min(WINDOW, source.size - start)) };
  };
  const result: ByteSource = {
    size: source.size,
    async read(offset, length) {
      reads += 1;
      if (reads > READS_MAX) throw new MediaError('unreadable', 'it is made of more pieces than any recording');
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

/** Exactly `length` bytes, or the file ends too early. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw new MediaError('incomplete', `it ends in the middle, at ${source.size} bytes`);
  return bytes;
}
