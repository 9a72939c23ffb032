import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileDurablySync } from '@holdfast/base';
import { npErrors } from '../model/errors.ts';

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw npErrors.IMPORT_INVALID(`The file ${path} cannot be read.`, { cause: error });
  }
}

/** Returns undefined when there is no such file. */
export function readTextIfPresent(path: string): string | undefined {
  return withSetupError(path, () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
}

/** An empty text removes the file. A link stays; its target is replaced. */
export function replaceText(path: string, text: string): void {
  withSetupError(path, () => {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && existsSync(path);
    if (text === '' && !isLink) rmSync(path, { force: true });
    else replaceFile(isLink ? realpathSync(path) : path, text);
  });
}

/** Uses the default permissions, since the file is in a folder of the user. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const { mode = 0o666 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  writeFileDurablySync(path, text, mode & 0o777);
}

function withSetupError<T>(path: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw npErrors.SETUP_FILE_UNREADABLE(`${path} cannot be read or written: ${reason}`, { cause: error });
  }
}

/** Identifies a file by device and inode, so that a replaced database is noticed; undefined if there is no file. */
export function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}:${status.ino}`;
}
