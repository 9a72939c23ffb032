import { close, read } from 'node:fs';
import { promisify } from 'node:util';

import { httpErrors } from '../errors.ts';
import { isKnown } from './etag.ts';

const readAsync = promisify(read);
const CHUNK_BYTES: number = 1024 * 1024;

export interface FileToSend {
  /** The response owns the descriptor and closes it after the last byte or on cancel. */
  readonly fd: number;
  readonly size: number;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers with an open file: whole, one range, or 304. A request for several ranges gets the whole file. Reads only as
 * fast as the client does, one chunk at a time.
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
    throw httpErrors.RANGE_NOT_SATISFIABLE(`The range starts after the last of ${size} bytes`, {
      details: { size },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range !== undefined) headers['content-range'] = `bytes ${start}-${end}/${size}`;
  return new Response(bytesOf(fd, start, end), { status: range === undefined ? 200 : 206, headers });
}

/** With If-Range, a range is valid only for the version that the client has. */
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
          // The file has become shorter. Ends the connection early, so that the download does not look complete.
          if (position <= end) controller.error(new Error('The file is shorter than announced'));
          else controller.close();
        } catch (error) {
          abandon(fd);
          controller.error(error);
        }
      },
      cancel() {
        isUnwanted = true;
        // A pending read closes the file when it ends. Closing the file now would let another file reuse the descriptor
        // during the read.
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
  /** Position of the last byte (inclusive). */
  readonly end: number;
}

/**
 * Returns the range; undefined if the header has no range, or several, which are ignored; null if the range is outside
 * the file.
 */
function byteRange(header: string | null, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // A reversed range is invalid.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || end < start ? null : { start, end };
}
