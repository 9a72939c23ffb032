import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { npErrors } from '../model/errors.ts';

/** A file that somebody named. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw npErrors.IMPORT_INVALID(`The file ${path} cannot be read.`, { cause: error });
  }
}

/** Undefined when there is no such file. */
export function readTextIfPresent(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Whole or not at all; an empty text removes the file. */
export function replaceText(path: string, text: string): void {
  if (text === '') {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
