import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { HOUR, identityOf, isAlive } from '@holdfast/base';

import { configText, keptOfRepository, keptOfUser, readSettings, readUserSettings } from './config.ts';
import { type Setting, userSettingsFiles } from './config.ts';
import { type GitLocation, refused, refuseLinks } from './locate.ts';

/**
 * git reads settings and hooks from a repository's common directory. GIT_COMMON_DIR redirects it to a shadow folder:
 * objects and branches are links to the real ones, `config` has only harmless settings, and there are no hooks. So git
 * never obeys the repository's other configuration.
 */
interface Shadow {
  readonly folder: string;
  /** Identifies the settings files; a different stamp means that they must be read again. */
  readonly stamp: string;
}

const shadows = new Map<string, Shadow>();

/** Returns variables that make git use the shadow of this repository. */
export function shadowEnvironment(location: GitLocation): NodeJS.ProcessEnv {
  const { gitDir, commonDir } = location;
  const key = existsSync(join(gitDir, 'config.worktree')) ? gitDir : commonDir;
  const stamp = stampOf(location);
  refuseLinks(location);
  let shadow = shadows.get(key);
  // A program that cleans up temporary folders may have removed the shadow.
  if (shadow?.stamp !== stamp || !existsSync(join(shadow.folder, 'config'))) {
    shadow = { folder: makeFolder(commonDir, shadow?.folder), stamp };
    writeConfig(location, shadow.folder);
    shadows.set(key, shadow);
  }
  return environmentOf(location, shadow.folder);
}

function environmentOf({ root, gitDir }: GitLocation, folder: string): NodeJS.ProcessEnv {
  return { GIT_DIR: gitDir, GIT_COMMON_DIR: folder, GIT_WORK_TREE: root };
}

/**
 * Entries that the shadow links to. `HEAD` belongs to the main worktree. It tells git which branch is checked out
 * there, so that git does not check out this branch a second time.
 */
const linked = ['HEAD', 'objects', 'refs', 'packed-refs', 'shallow', 'logs', 'info', 'worktrees'];

/** Reuses the previous folder, which a running git may still use. */
function makeFolder(commonDir: string, before: string | undefined): string {
  if (before !== undefined && existsSync(join(before, 'config'))) return before;
  const folder = mkdtempSync(join(processFolder(), 'repository-'));
  for (const name of linked) symlinkSync(join(commonDir, name), join(folder, name));
  if (existsSync(join(commonDir, 'reftable'))) symlinkSync(join(commonDir, 'reftable'), join(folder, 'reftable'));
  return folder;
}

function writeConfig(location: GitLocation, folder: string): void {
  const settings = repositorySettings(location);
  const write = (all: readonly Setting[]): void => {
    const fresh = join(folder, 'config.new');
    writeFileSync(fresh, configText(all));
    renameSync(fresh, join(folder, 'config'));
  };
  write(settings);
  const users = readUserSettings(environmentOf(location, folder));
  refuseForeign(location, users);
  write([...keptOfUser(users), ...settings]);
  // git cannot create these two folders through the links. They are created last, so that a refused repository stays
  // unchanged.
  for (const name of ['logs', 'info']) mkdirSync(join(location.commonDir, name), { recursive: true });
}

function repositorySettings({ root, gitDir, commonDir }: GitLocation): Setting[] {
  const path = join(commonDir, 'config');
  const shared = readSettings(path);
  const hasOwn = shared.some(([key, value]) => key === 'extensions.worktreeconfig' && value !== 'false');
  const all = hasOwn ? [...shared, ...readSettings(join(gitDir, 'config.worktree'))] : shared;
  const worktree = all.findLast(([key]) => key === 'core.worktree')?.[1];
  if (worktree !== undefined && gitDir === commonDir && !isSamePath(resolve(gitDir, worktree), root)) {
    throw refused(path, `sets the working tree to ${worktree}`, 'Remove core.worktree there.');
  }
  // Without this check, a folder could make us commit its files into any bare repository of the user.
  const bare = shared.findLast(([key]) => key === 'core.bare')?.[1] ?? 'false';
  if (gitDir === commonDir && ![root, join(root, '.git')].includes(gitDir) && /^(?:true|yes|on|1)$/i.test(bare)) {
    throw refused(join(root, '.git'), `points to ${gitDir}, which is a bare repository`);
  }
  const odd = shared.find(isUnknownExtension);
  if (odd !== undefined) throw refused(path, `sets ${odd.join(' = ')}, which is not supported`);
  return keptOfRepository(all);
}

/**
 * Supported extensions. With `partialclone`, missing objects are not fetched. With `worktreeconfig`, the code in this
 * file reads the worktree's settings.
 */
const knownExtensions =
  /^extensions\.(noop|noop-v1|objectformat|compatobjectformat|preciousobjects|relativeworktrees|partialclone|worktreeconfig)$/;

/** An unknown extension may change where git reads and writes. */
function isUnknownExtension([key, value]: Setting): boolean {
  if (key === 'extensions.refstorage') return value !== 'files' && value !== 'reftable';
  return key.startsWith('extensions.') && !knownExtensions.test(key);
}

/** Like git, refuses another user's repository unless `safe.directory` allows it. */
function refuseForeign({ root, gitDir }: GitLocation, users: readonly Setting[]): void {
  const isAllowed = users.some(([key, value]) => key === 'safe.directory' && (value === '*' || value === root));
  if (isAllowed) return;
  const owners = [process.geteuid?.(), process.geteuid?.() === 0 ? Number(process.env['SUDO_UID']) : undefined];
  // A bare repository has no `.git`.
  const places = [root, join(root, '.git'), gitDir].filter((path) => existsSync(path));
  const foreign = places.find((path) => !owners.includes(statSync(path).uid));
  if (owners[0] === undefined || foreign === undefined) return;
  const hint = `If you trust it: git config --global --add safe.directory ${root}`;
  throw refused(foreign, 'belongs to another user', hint);
}

function isSamePath(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}

function stampOf({ gitDir, commonDir }: GitLocation): string {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree'), ...userSettingsFiles()];
  const stamps = files.map((file) => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? '-' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  });
  return [statSync(commonDir).ino, ...stamps].join();
}

let ownFolder: string | undefined;

/** Returns the folder for all shadows of this process, which is removed at exit. */
function processFolder(): string {
  if (ownFolder !== undefined && existsSync(ownFolder)) return ownFolder;
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^holdfast-git-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(identityOf(Number(pid)))) removeAbandoned(join(tmpdir(), name));
  }
  const made = mkdtempSync(join(tmpdir(), `holdfast-git-${process.pid}-`));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  ownFolder = made;
  return made;
}

/**
 * Marks the folder of a process that has died. Removes it if it was marked more than an hour ago; until then, git
 * processes that the dead process started may still use it.
 */
function removeAbandoned(folder: string): void {
  const seen = join(folder, 'abandoned');
  try {
    const since = statSync(seen, { throwIfNoEntry: false })?.mtimeMs;
    if (since === undefined) writeFileSync(seen, '');
    else if (since < Date.now() - HOUR) rmSync(folder, { recursive: true, force: true });
  } catch {
    // The folder belongs to another user, or another process is already removing it.
  }
}
