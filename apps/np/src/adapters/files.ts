import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { holdfastHome, storeAddress } from '@holdfast/base';
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

/** Returns the canonical path of a directory on another machine, which cannot be checked here. */
export function directoryElsewhere(path: string): string {
  if (!isAbsolute(path)) throw npErrors.DIRECTORY_GONE(`${path} is not an absolute path.`);
  return canonicalForm(normalize(path).replace(/(?<=.)\/$/u, ''), process.platform);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the location of the plans: below NP_DIR if it is set, otherwise with Holdfast's other databases. */
export function databaseOf(env: Environment): { readonly path: string; readonly address: string | undefined } {
  const chosen = env['NP_DIR'];
  if (chosen !== undefined && chosen !== '') return { path: join(resolve(chosen), 'np.db'), address: undefined };
  const home = holdfastHome(env);
  return { path: join(home, 'np.db'), address: storeAddress(home, env, 'np') };
}

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const hint = 'Nothing was changed. Check the path and the permissions of the file.';
    throw npErrors.IMPORT_INVALID(`The file ${path} cannot be read.`, { cause: error, hint });
  }
}

/** Identifies a file by device and inode, so that a replaced database is noticed; undefined if there is no file. */
export function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}:${status.ino}`;
}
