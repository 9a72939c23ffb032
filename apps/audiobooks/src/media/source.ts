/** Bytes somewhere, read piece by piece: a reader of media never has a whole file in memory. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes; fewer only at the end. Good until the next read. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** What a file is that does not hold what its name promises. */
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

const WINDOW = 64 * 1024;
/** Enough for the longest real file; a hostile one could send a reader from header to header for hours. */
const READS_MAX = 3_000_000;

/** Small reads near each other are answered from one window, so that hopping from header to header stays cheap. */
export function windowed(source: ByteSource, windowSize = WINDOW): ByteSource {
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  let reads = 0;
  return {
    size: source.size,
    async read(offset, length) {
      reads += 1;
      if (reads > READS_MAX) throw new MediaError('unreadable', 'it is made of more pieces than any recording');
      if (offset >= source.size || length <= 0) return new Uint8Array(0);
      const end = Math.min(offset + length, source.size);
      if (length > windowSize) return source.read(offset, end - offset);
      if (offset < start || end > start + window.length) {
        start = offset;
        // A copy: the source may use its buffer again.
        window = (await source.read(offset, Math.min(windowSize, source.size - offset))).slice();
      }
      return window.subarray(offset - start, end - start);
    },
  };
}

/** Exactly `length` bytes, or the file ends too early. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw new MediaError('incomplete', `it ends in the middle, at ${source.size} bytes`);
  return bytes;
}
