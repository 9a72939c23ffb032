import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
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
