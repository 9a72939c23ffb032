import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { audiobookErrors } from '../model/errors.ts';

/** The lines of a file, one at a time; dumps come compressed, so `.gz` is unpacked on the way. */
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

/** The lines of what somebody sends, as it comes. */
export function linesOfStream(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const input = Readable.fromWeb(stream);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  // A line reader does not pass on what goes wrong with its source.
  return (async function* all(): AsyncGenerator<string, void, undefined> {
    yield* lines;
    if (input.errored !== null) throw input.errored;
  })();
}
