import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { audiobookErrors } from '../model/errors.ts';

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

/** Far longer than any record. */
const LINE_MAX = 16 * 1024 * 1024;

/** Yields the lines of a stream; limits the length of a line. */
export async function* linesOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX) throw audiobookErrors.IMPORT_INVALID('A line is far too long.');
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
