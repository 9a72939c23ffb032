import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { HOUR, identityOf, isAlive } from '@holdfast/base';

import { configText, keptOfRepository, keptOfUser, readSettings, readUserSettings } from './config.ts';
import { type Setting, userSettingsFiles } from './config.ts';
import { type GitLocation, refused, refuseLinks } from './locate.ts';

/**
 * git takes settings and hooks from the common directory of a repository, and can be told to use another one. It gets a
 * folder of ours: objects and branches in it are links to the real ones, the settings are those that cannot run anything,
 * and there are no hooks. So git never sees what else the repository configures, and we need not know what that could do.
 */
interface Shadow {
  readonly folder: string;
  /** Changes when the settings have to be read again. */
  readonly stamp: string;
}

const shadows = new Map<string, Shadow>();

/** Variables with which git works in this repository, and in no way that the repository chooses. */
export function shadowEnvironment(location: GitLocation): NodeJS.ProcessEnv {
  const { gitDir, commonDir } = location;
  const key = existsSync(join(gitDir, 'config.worktree')) ? gitDir : commonDir;
  const stamp = stampOf(location);
  let shadow = shadows.get(key);
  // Programs that tidy up temporary folders may have removed it.
  if (shadow?.stamp !== stamp || !existsSync(join(shadow.folder, 'config'))) {
    refuseLinks(location);
    shadow = { folder: makeFolder(commonDir, shadow?.folder), stamp };
    writeConfig(location, shadow.folder);
    shadows.set(key, shadow);
  }
  return environmentOf(location, shadow.folder);
}

function environmentOf({ root, gitDir }: GitLocation, folder: string): NodeJS.ProcessEnv {
  return { GIT_DIR: gitDir, GIT_COMMON_DIR: folder, GIT_WORK_TREE: root };
}

/** `HEAD` is that of the main worktree, whose branch another worktree must not check out. */
const linked = ['HEAD', 'objects', 'refs', 'packed-refs', 'shallow', 'logs', 'info', 'worktrees'];

/** The folder of before is kept where there is one: a git that runs for long still uses it. */
function makeFolder(commonDir: string, before: string | undefined): string {
  if (before !== undefined && existsSync(join(before, 'config'))) return before;
  const folder = mkdtempSync(join(processFolder(), 'repository-'));
  for (const name of linked) symlinkSync(join(commonDir, name), join(folder, name));
  if (existsSync(join(commonDir, 'reftable'))) symlinkSync(join(commonDir, 'reftable'), join(folder, 'reftable'));
  // git makes these when it needs them, but not behind a link.
  for (const name of ['logs', 'info']) mkdirSync(join(commonDir, name), { recursive: true });
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
}

function repositorySettings({ root, gitDir, commonDir }: GitLocation): Setting[] {
  const path = join(commonDir, 'config');
  const shared = readSettings(path);
  const hasOwn = shared.some(([key, value]) => key === 'extensions.worktreeconfig' && value !== 'false');
  const all = hasOwn ? [...shared, ...readSettings(join(gitDir, 'config.worktree'))] : shared;
  const worktree = all.findLast(([key]) => key === 'core.worktree')?.[1];
  if (worktree !== undefined && gitDir === commonDir && !isSamePath(resolve(gitDir, worktree), root)) {
    throw refused(path, `says that the working tree is ${worktree}`, 'Remove core.worktree there.');
  }
  const odd = shared.find(isUnknownExtension);
  if (odd !== undefined) throw refused(path, `asks for ${odd.join(' = ')}, which is not supported`);
  return keptOfRepository(all);
}

/** Missing objects of a partial clone are not fetched, and settings of one worktree are read here: git need not know. */
const knownExtensions =
  /^extensions\.(noop|noop-v1|objectformat|compatobjectformat|preciousobjects|relativeworktrees|partialclone|worktreeconfig)$/;

/** It may change where git reads and writes. */
function isUnknownExtension([key, value]: Setting): boolean {
  if (key === 'extensions.refstorage') return value !== 'files' && value !== 'reftable';
  return key.startsWith('extensions.') && !knownExtensions.test(key);
}

/** As git does: a repository of somebody else is used only where the user has said so. */
function refuseForeign({ root, gitDir }: GitLocation, users: readonly Setting[]): void {
  const isAllowed = users.some(([key, value]) => key === 'safe.directory' && (value === '*' || value === root));
  if (isAllowed) return;
  const owners = [process.geteuid?.(), process.geteuid?.() === 0 ? Number(process.env['SUDO_UID']) : undefined];
  const foreign = [root, join(root, '.git'), gitDir].find((path) => !owners.includes(statSync(path).uid));
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

/** All shadows of this process, gone with it. */
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

/** Not at first sight: a git that its process has started may still be at work. */
function removeAbandoned(folder: string): void {
  const seen = join(folder, 'abandoned');
  try {
    const since = statSync(seen, { throwIfNoEntry: false })?.mtimeMs;
    if (since === undefined) writeFileSync(seen, '');
    else if (since < Date.now() - HOUR) rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is another user's, or somebody else removes it at this moment.
  }
}
