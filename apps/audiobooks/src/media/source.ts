/** Bytes read in chunks, so that no reader holds a whole file in memory. */
export interface ByteSource {
  readonly size: number;
  /**
   * Returns up to `length` bytes, fewer only at the end. The caller may keep results up to 64 KiB; larger ones are
   * valid until the next read.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Largest read whose buffer the caller may keep. */
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
/** Enough for the longest real file; without a limit, a hostile one could cause reads for hours. */
const READS_MAX = 3_000_000;

const isWindowed = new WeakSet<ByteSource>();

interface Window {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * Serves small, nearby reads from a window, so that hopping between headers stays cheap. Uses two windows, because
 * readers alternate between the start and the end of a file.
 */
export function windowed(source: ByteSource): ByteSource {
  if (isWindowed.has(source)) return source;
  let recent: Window = { start: 0, bytes: new Uint8Array(0) };
  let other = recent;
  let reads = 0;
  const load = async (offset: number): Promise<Window> => {
    // Near the end, align the window with the end of the file: the next reads are before it.
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

/** Throws if the file ends before `length` bytes. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw new MediaError('incomplete', `it ends in the middle, at ${source.size} bytes`);
  return bytes;
}
