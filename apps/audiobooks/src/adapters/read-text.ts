import { constants, createReadStream } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { audiobookErrors } from '../model/errors.ts';

const TEXT_MAX = 1024 * 1024;

/** Reads the start of a text file and guesses its encoding; returns undefined if it is unreadable. */
export async function readText(root: string, path: string): Promise<string | undefined> {
  try {
    const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(size, TEXT_MAX));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return decode(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Old cue sheets and descriptions use the Windows code page.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Yields the lines of a file; decompresses `.gz`. */
export async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  try {
    await access(path);
  } catch (error) {
    throw audiobookErrors.IMPORT_INVALID(`The file ${path} cannot be read.`, { cause: error });
  }
  const stream = createReadStream(path);
  const input = path.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** In characters; far longer than any line of an import file. */
const LINE_MAX = 16 * 1024 * 1024;

/** Yields the lines of a stream; throws if a line is longer than `LINE_MAX`. */
export async function* linesOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX) throw audiobookErrors.IMPORT_INVALID('A line of the file is too long.');
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
