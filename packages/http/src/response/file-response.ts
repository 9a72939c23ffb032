import { close, read } from 'node:fs';
import { promisify } from 'node:util';

import { httpErrors } from '../errors.ts';
import { isKnown } from './etag.ts';

const readAsync = promisify(read);
const CHUNK_BYTES: number = 1024 * 1024;

export interface FileToSend {
  /** Taken over: closed when the last byte is read, or when nobody wants it any more. */
  readonly fd: number;
  readonly size: number;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An open file as an answer: whole, one range of it, or nothing when the client has it already. Several ranges at once
 * get the whole. Nothing is read before the client takes what it has, and no more than a piece is in memory.
 */
export function fileResponse(request: Request, { fd, size, etag, headers: given }: FileToSend): Response {
  const headers: Record<string, string> = { ...given, 'accept-ranges': 'bytes', etag };
  if (isKnown(request.headers.get('if-none-match'), etag)) {
    abandon(fd);
    return new Response(null, { status: 304, headers });
  }
  const range = wantedRange(request, size, etag);
  if (range === null) {
    abandon(fd);
    throw httpErrors.RANGE_NOT_SATISFIABLE(`There are ${size} bytes; the range begins after them`, {
      details: { size },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range !== undefined) headers['content-range'] = `bytes ${start}-${end}/${size}`;
  return new Response(bytesOf(fd, start, end), { status: range === undefined ? 200 : 206, headers });
}

/** A part is only good for somebody who has the rest of the same version. */
function wantedRange(request: Request, size: number, etag: string): ReturnType<typeof byteRange> {
  const condition = request.headers.get('if-range');
  return condition !== null && condition !== etag ? undefined : byteRange(request.headers.get('range'), size);
}

function bytesOf(fd: number, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start;
  let isReading = false;
  let isUnwanted = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const wanted = Math.min(CHUNK_BYTES, end - position + 1);
        try {
          isReading = true;
          const { bytesRead, buffer } = await readAsync(
            fd,
            Buffer.allocUnsafeSlow(Math.max(wanted, 0)),
            0,
            wanted,
            position,
          );
          isReading = false;
          if (isUnwanted) return abandon(fd);
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(bytesRead === wanted ? buffer : buffer.subarray(0, bytesRead));
          if (position <= end && bytesRead > 0) return;
          abandon(fd);
          // A file that became shorter must not look like a whole one: the connection ends before its announced length.
          if (position <= end) controller.error(new Error('The file ended before its announced length'));
          else controller.close();
        } catch (error) {
          abandon(fd);
          controller.error(error);
        }
      },
      cancel() {
        isUnwanted = true;
        // A descriptor that is closed under a running read may be another file by the time the read happens.
        if (!isReading) abandon(fd);
      },
    },
    { highWaterMark: 0 },
  );
}

function abandon(fd: number): void {
  close(fd, () => undefined);
}

interface ByteRange {
  readonly start: number;
  /** The last byte, not the one after. */
  readonly end: number;
}

/** One range of a file; undefined when the header asks for none or for several, which are ignored; null when none fits. */
function byteRange(header: string | null, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Backwards is no range at all.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || end < start ? null : { start, end };
}
