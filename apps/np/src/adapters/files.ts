import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { holdfastHome, writeFileDurablySync } from '@holdfast/base';
import { npErrors } from '../model/errors.ts';
import { canonicalForm } from '../model/ids.ts';

/** Every event stores the command line, so long words and long command lines are truncated. */
const WORD_CHARACTERS_MAX = 80;
const LINE_CHARACTERS_MAX = 400;

export function commandLine(program: string, words: readonly string[] = process.argv.slice(2)): string {
  return shortened([program, ...words.map(quoted)].join(' '), LINE_CHARACTERS_MAX);
}

function quoted(word: string): string {
  const shown = shortened(word, WORD_CHARACTERS_MAX);
  return /^[\w@%+=:,./\u2026-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** Truncates between characters, because half of a surrogate pair cannot be stored. */
function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text.toWellFormed();
  const kept = text.slice(0, charactersMax);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1).toWellFormed()}…`;
}

/** Returns the canonical path of a directory, or of the working directory. */
export function canonicalDirectory(path?: string): string {
  let found: string;
  try {
    found = realpathSync.native(path === undefined ? process.cwd() : resolve(path));
  } catch (error) {
    throw npErrors.DIRECTORY_GONE(`The directory ${path ?? '(current)'} does not exist.`, { cause: error });
  }
  if (!statSync(found).isDirectory()) throw npErrors.DIRECTORY_GONE(`${path} is not a directory.`);
  return canonicalForm(found, process.platform);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the database: below NP_DIR if set, else below the data home of Holdfast. */
export function databasePath(env: Environment): string {
  const chosen = env['NP_DIR'];
  return join(chosen === undefined || chosen === '' ? holdfastHome(env) : resolve(chosen), 'np.db');
}

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

/** Replaces the file, or deletes it if the text is empty. Writes to the target of a symbolic link. */
export function replaceText(path: string, text: string): void {
  withSetupError(path, () => {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && existsSync(path);
    if (text === '' && !isLink) rmSync(path, { force: true });
    else replaceFile(isLink ? realpathSync(path) : path, text);
  });
}

/** Keeps the permissions of an existing file. A new file gets the default ones, because it is not private. */
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
