import * as fs from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { delay, syncFolder } from '@holdfast/base';
import { gitFailed, gitText, initRepository, locateGit, runGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';
import type { GitObjects } from './git-objects.ts';
import { requireNotebook } from './notebook-folder.ts';

/** The repository that holds a notebook's history. */
export interface Repository {
  readonly folder: string;
  readonly root: string;
  /** Path of the notebook in the working tree: empty, or ending in a slash. */
  readonly prefix: string;
  /** Folder with HEAD, index and merge state of this working tree. */
  readonly gitDir: string;
  /** Folder with objects and branches, which all working trees share. Notebooks with the same folder share a lane. */
  readonly commonDir: string;
  readonly oidBytes: number;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** Finds the repository around a folder; undefined if there is none or it ignores the folder. */
async function findRepository(folder: string): Promise<Repository | undefined> {
  const place = fs.realpathSync(folder);
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

/** Returns false once the user has deleted the repository. */
export function isRepositoryThere({ gitDir }: Repository): boolean {
  return fs.existsSync(gitDir);
}

/**
 * Returns the repository around a notebook; creates one if there is none. Changes no git configuration outside that
 * repository.
 */
export async function openRepository(folder: string): Promise<Repository> {
  requireNotebook(folder);
  const found = await findRepository(folder);
  if (found === undefined) await makeRepository(folder);
  const repository = found ?? (await findRepository(folder));
  if (repository === undefined) throw codexErrors.GIT_UNAVAILABLE(`git did not create a repository in ${folder}`);
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

/** Adds `.codex` to `info/exclude`, so that the user's `.gitignore` stays unchanged. */
function excludeOwnFolder({ commonDir }: Repository): void {
  fs.mkdirSync(join(commonDir, 'info'), { recursive: true });
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = fs.constants;
  const file = fs.openSync(join(commonDir, 'info', 'exclude'), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o666);
  try {
    const text = fs.readFileSync(file, 'utf8');
    if (text.split('\n').includes('.codex/')) return;
    fs.writeSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.codex/\n`);
  } finally {
    fs.closeSync(file);
  }
}

/** If a surrounding repository ignores the folder, the notebook gets its own repository. */
async function isIgnored(root: string, prefix: string): Promise<boolean> {
  const { code } = await runGit(['check-ignore', '-q', '--', `./${prefix}`], {
    folder: root,
    literalPaths: false,
    expected: [1],
  });
  return code === 0;
}

/** Returns the user in the git configuration; undefined when not set. */
export async function configuredUser(folder: string): Promise<{ name: string; email: string } | undefined> {
  const read = async (key: string): Promise<string> => {
    const { code, stdout } = await runGit(['config', '--get', key], { folder, expected: [1] });
    return code === 0 ? stdout.toString('utf8').trim() : '';
  };
  const [name, email] = await Promise.all([read('user.name'), read('user.email')]);
  return name === '' || email === '' ? undefined : { name, email };
}

/** The branch that codex commits to, or the reason why no commit is possible now. */
type HeadState = { readonly branch: string; readonly tip: string | undefined } | { readonly pausedBecause: string };

/** Files that exist while one of the user's git operations, such as a merge, is unfinished. */
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or git am'],
  ['sequencer', 'a sequence of cherry-picks or reverts'],
  ['BISECT_LOG', 'a bisection'],
];

function operationIn(gitDir: string): string | undefined {
  return UNDER_WAY.find(([file]) => fs.existsSync(join(gitDir, file)))?.[1];
}

/**
 * Returns the git operation that the user has in progress in a folder's repository, for example `a rebase`. Reads files
 * instead of running git, because the queue calls it before each group of operations.
 */
export function gitOperationAt(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, '.git');
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return operationIn(place);
    if (found?.isFile() === true) {
      // In a worktree or submodule, `.git` is a file that contains the path of the git folder.
      const [, gitDir] = /^gitdir: (.+)$/mu.exec(fs.readFileSync(place, 'utf8')) ?? [];
      return gitDir === undefined ? undefined : operationIn(resolve(at, gitDir));
    }
    if (at === dirname(at)) return undefined;
  }
}

export async function readHead(repository: Repository, objects: GitObjects): Promise<HeadState> {
  const operation = operationIn(repository.gitDir);
  if (operation !== undefined) return { pausedBecause: `${operation} is in progress` };
  const branch = await currentBranch(repository);
  if (branch === undefined) return { pausedBecause: 'HEAD is detached: no branch is checked out' };
  const commit = await objects.read(branch);
  return { branch, tip: commit?.oid };
}

/** Returns the full name of the current branch; undefined if HEAD is detached. */
export async function currentBranch({ gitDir, root }: Repository): Promise<string | undefined> {
  const text = fs.readFileSync(join(gitDir, 'HEAD'), 'utf8').trimEnd();
  const [, name] = /^ref: (refs\/\S+)$/.exec(text) ?? [];
  // With another ref storage format, the file HEAD is only a placeholder.
  if (name !== 'refs/heads/.invalid') return name;
  const answer = await gitText(['symbolic-ref', '-q', 'HEAD'], { folder: root, expected: [1] });
  return answer === '' ? undefined : answer.trim();
}

export interface IndexLock {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export function findIndexLock({ gitDir }: Repository): IndexLock | undefined {
  const path = join(gitDir, 'index.lock');
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { path, since: found.mtimeMs };
}

interface BranchMove {
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  /** The temporary reference to delete. */
  readonly drop: string;
  readonly reason: string;
}

/** `raced`: the branch moved, or another process is moving it now. Nothing was changed. */
export type BranchMoved = 'moved' | 'raced';

/** Moves a branch if it is still at the expected commit. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const none = '0'.repeat(repository.oidBytes * 2);
  const input = `start\nupdate ${move.branch} ${move.to} ${move.from ?? none}\ndelete ${move.drop}\ncommit\n`;
  const args = ['update-ref', '-m', move.reason, '--stdin'];
  const { code, stderr } = await runGit(args, { folder: repository.root, input, expected: [128] });
  if (code === 0) return 'moved';
  if (/cannot lock ref|Unable to create|reference already exists/i.test(stderr)) return 'raced';
  throw gitFailed(args, code, stderr);
}

/**
 * Syncs the pack folders, because git syncs only files. Without this, a power failure could lose the name of a pack
 * although its content is on disk.
 */
export async function syncPacks({ commonDir }: Repository): Promise<void> {
  await syncFolder(join(commonDir, 'objects', 'pack'));
}

/** Syncs the folder of the branch and its parents, which git may have created with the branch. */
export async function syncBranch({ commonDir }: Repository, branch: string): Promise<void> {
  let folder = dirname(join(commonDir, ...branch.split('/')));
  for (; folder.startsWith(commonDir + sep); folder = dirname(folder)) {
    if (fs.existsSync(folder)) await syncFolder(folder);
  }
}

/** Maximum number of packs. If there are more, they are joined. git's own limit is 50 (gc.autoPackLimit). */
const PACKS_MAX = 20;

export function needsRepack({ commonDir }: Repository): boolean {
  const names = fs.readdirSync(join(commonDir, 'objects', 'pack'));
  // Packs of a partial clone must stay separate: git uses them to tell which objects may be missing.
  const isPartial = names.some((name) => name.endsWith('.promisor'));
  return !isPartial && names.filter((name) => name.endsWith('.pack')).length > PACKS_MAX;
}

/** Joins small packs. Deletes no object: the user may want to rescue unreachable ones. */
export async function repack({ root }: Repository): Promise<void> {
  await runGit(['repack', '-d', '-q', '--geometric=2'], { folder: root });
}
