import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, realpathSync, writeSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { delay } from '@holdfast/base';
import { gitFailed, gitText, initRepository, locateGit, runGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';
import { requireNotebook } from './notebook-mark.ts';

/** The repository that holds the history of a notebook. */
export interface Repository {
  /** The notebook's folder. */
  readonly folder: string;
  /** Root of the working tree. */
  readonly root: string;
  /** Path of the notebook in the working tree: empty, or ending in a slash. */
  readonly prefix: string;
  /** HEAD, index and merge state of this working tree. */
  readonly gitDir: string;
  /** Objects and branches, shared with other working trees. Notebooks with the same one share a lane. */
  readonly commonDir: string;
  readonly oidBytes: number;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** Finds the repository around a folder; undefined if there is none or it ignores the folder. */
async function findRepository(folder: string): Promise<Repository | undefined> {
  const place = realpathSync(folder);
  const location = locateGit(place);
  if (location === undefined) return undefined;
  const { root } = location;
  const prefix = relative(root, place).split(sep).join('/');
  if (prefix !== '' && (await isIgnored(root, prefix))) return undefined;
  const format = await gitText(['rev-parse', '--show-object-format'], { folder: root });
  const objectFormat = format.trim() === 'sha256' ? 'sha256' : 'sha1';
  return {
    ...location,
    folder: place,
    prefix: prefix === '' ? '' : `${prefix}/`,
    objectFormat,
    oidBytes: objectFormat === 'sha256' ? 32 : 20,
  };
}

/** False once the user has deleted the repository. */
export function isRepositoryThere({ gitDir }: Repository): boolean {
  return existsSync(gitDir);
}

/**
 * Returns the repository around a notebook; creates one if there is none. Changes no git configuration outside of it.
 */
export async function openRepository(folder: string): Promise<Repository> {
  requireNotebook(folder);
  const found = await findRepository(folder);
  if (found === undefined) await makeRepository(folder);
  const repository = found ?? (await findRepository(folder));
  if (repository === undefined) throw codexErrors.GIT_UNAVAILABLE(`git made no repository in ${folder}`);
  excludeOwnFolder(repository);
  return repository;
}

const INIT_TRIES = 100;
const INIT_PAUSE_MS = 20;

/** Retries, because a server and a command may create the repository at the same time. `git init` is idempotent. */
async function makeRepository(folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { code, stderr } = await initRepository(folder);
    if (code === 0) return;
    const isBusy = /File exists|could not lock|cannot lock/iu.test(stderr);
    if (!isBusy || tries === INIT_TRIES) throw gitFailed(['init'], code, stderr);
    await delay(INIT_PAUSE_MS);
  }
}

/** Keeps our own folder out of git without changing a file of the user. */
function excludeOwnFolder({ commonDir }: Repository): void {
  mkdirSync(join(commonDir, 'info'), { recursive: true });
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const file = openSync(join(commonDir, 'info', 'exclude'), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o666);
  try {
    const text = readFileSync(file, 'utf8');
    if (text.split('\n').includes('.codex/')) return;
    writeSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.codex/\n`);
  } finally {
    closeSync(file);
  }
}

/** If a surrounding repository ignores the folder, the notebook gets its own. */
async function isIgnored(root: string, prefix: string): Promise<boolean> {
  const { code } = await runGit(['check-ignore', '-q', '--', `./${prefix}`], {
    folder: root,
    literalPaths: false,
    expected: [1],
  });
  return code === 0;
}

/** The user in the git configuration; undefined when not set. */
export async function configuredUser(folder: string): Promise<{ name: string; email: string } | undefined> {
  const read = async (key: string): Promise<string> => {
    const { code, stdout } = await runGit(['config', '--get', key], { folder, expected: [1] });
    return code === 0 ? stdout.toString('utf8').trim() : '';
  };
  const [name, email] = await Promise.all([read('user.name'), read('user.email')]);
  return name === '' || email === '' ? undefined : { name, email };
}
