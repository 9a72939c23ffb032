import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

const readAsync = promisify(read);
const CHUNK_BYTES: number = 1024 * 1024;
/** Larger sizes and offsets need the ZIP64 fields. */
const MAX_32 = 0xff_ff_ff_ff;
const MAX_16 = 0xff_ff;
/** Flags of each entry: its name is UTF-8, and its checksum and size follow its content. */
const FLAGS = 0x08_08;
/** 1 January 1980, the earliest date that a ZIP archive can store. */
const DATE = 0x00_21;
const VERSION = 45;

export interface ZipFile {
  readonly name: string;
  /** Called when the archive reaches this file. The stream closes the descriptor. */
  readonly open: () => Promise<{ readonly fd: number; readonly size: number }>;
}

interface Written {
  readonly name: Buffer;
  readonly checksum: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Streams files as a ZIP archive. Does not compress them, because audio would not get smaller. Holds one chunk in
 * memory.
 */
export function zipStream(files: readonly ZipFile[]): ReadableStream<Uint8Array> {
  const parts = zipParts(files);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* zipParts(files: readonly ZipFile[]): AsyncGenerator<Buffer, void, undefined> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name: text, open } of files) {
    const name = Buffer.from(text);
    const { fd, size } = await open();
    const [start, isLarge] = [offset, size >= MAX_32];
    let checksum = 0;
    try {
      const header = localHeader(name, isLarge);
      offset += header.length + size;
      yield header;
      for (let position = 0; position < size;) {
        const wanted = Math.min(CHUNK_BYTES, size - position);
        const { bytesRead, buffer } = await readAsync(fd, Buffer.allocUnsafe(wanted), 0, wanted, position);
        if (bytesRead === 0) throw new Error('The file is shorter than announced');
        const chunk = buffer.subarray(0, bytesRead);
        checksum = crc32(chunk, checksum);
        position += bytesRead;
        yield chunk;
      }
    } finally {
      close(fd, () => undefined);
    }
    const descriptor = fields([4, 0x08_07_4b_50], [4, checksum], [isLarge ? 8 : 4, size], [isLarge ? 8 : 4, size]);
    offset += descriptor.length;
    yield descriptor;
    written.push({ name, checksum, size, offset: start });
  }
  yield directory(written, offset);
}

function localHeader(name: Buffer, isLarge: boolean): Buffer {
  const extra = isLarge ? fields([2, 1], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0);
  const size = isLarge ? MAX_32 : 0;
  return Buffer.concat([
    fields([4, 0x04_03_4b_50], [2, VERSION], [2, FLAGS], [2, 0], [2, 0], [2, DATE], [4, 0], [4, size], [4, size]),
    fields([2, name.length], [2, extra.length]),
    name,
    extra,
  ]);
}

/** Returns the central directory: the list of all files at the end of a ZIP archive. */
function directory(written: readonly Written[], start: number): Buffer {
  const entries = Buffer.concat(written.map(directoryEntry));
  const [count, length] = [written.length, entries.length];
  const isLarge = start >= MAX_32 || count >= MAX_16;
  const large = isLarge
    ? Buffer.concat([
        fields([4, 0x06_06_4b_50], [8, 44], [2, VERSION], [2, VERSION], [4, 0], [4, 0], [8, count], [8, count]),
        fields([8, length], [8, start]),
        fields([4, 0x07_06_4b_50], [4, 0], [8, start + length], [4, 1]),
      ])
    : Buffer.alloc(0);
  const shown = Math.min(count, MAX_16);
  const end = fields([4, 0x06_05_4b_50], [2, 0], [2, 0], [2, shown], [2, shown], [4, length]);
  return Buffer.concat([entries, large, end, fields([4, Math.min(start, MAX_32)], [2, 0])]);
}

function directoryEntry({ name, checksum, size, offset }: Written): Buffer {
  const values: [number, number][] = [];
  if (size >= MAX_32) values.push([8, size], [8, size]);
  if (offset >= MAX_32) values.push([8, offset]);
  const extra = values.length === 0 ? Buffer.alloc(0) : fields([2, 1], [2, values.length * 8], ...values);
  const shown = Math.min(size, MAX_32);
  return Buffer.concat([
    fields([4, 0x02_01_4b_50], [2, VERSION], [2, VERSION], [2, FLAGS], [2, 0], [2, 0], [2, DATE], [4, checksum]),
    fields([4, shown], [4, shown], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    fields([4, Math.min(offset, MAX_32)]),
    name,
    extra,
  ]);
}

/** Encodes little-endian numbers, each given as its width in bytes and its value. */
function fields(...values: readonly (readonly [width: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of values) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}
