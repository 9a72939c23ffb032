import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { holdfastHome } from '@holdfast/base';
import { npErrors } from '../model/errors.ts';
import { canonicalForm } from '../model/ids.ts';

/**
 * The command line for the log. Every event carries it, so long words and long lines are truncated.
 */
const WORD_CHARACTERS_MAX = 80;
const LINE_CHARACTERS_MAX = 400;

export function commandLine(program: string, words: readonly string[] = process.argv.slice(2)): string {
  return shortened([program, ...words.map(quoted)].join(' '), LINE_CHARACTERS_MAX);
}

function quoted(word: string): string {
  const shown = shortened(word, WORD_CHARACTERS_MAX);
  return /^[\w@%+=:,./\u2026-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** Cuts between characters: half of a surrogate pair cannot be stored as text. */
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
