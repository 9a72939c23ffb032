import { readFileSync } from 'node:fs';
import { utaskErrors } from '../model/errors.ts';

export function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw utaskErrors.BAD_IMPORT(`${path} cannot be read.`, { cause: error, hint: 'Check the name of the file.' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Convert it to UTF-8 first, for example with iconv.';
    throw utaskErrors.BAD_IMPORT(`${path} is not UTF-8 text.`, { cause: error, hint });
  }
}
