import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { failpoint, MINUTE, syncFolder } from '@holdfast/base';

import { configText } from './config.ts';
import { connectionEnvironment } from './environment.ts';
import { gitErrors } from './errors.ts';
import type { GitLocation } from './locate.ts';
import { type Address, checkAddress, type RemoteAccess } from './remote-address.ts';
import { finished, gitText, runGit, type RunResult, spawnGit } from './run.ts';
import { shadowEnvironment } from './shadow.ts';

const TIME_MAX = 30 * MINUTE;
const SIZE_EVERY_MS = 200;
/** Holds the tip of the remote branch in the scratch repository. */
const TIP = 'refs/heads/theirs';

/**
 * git connects to remotes only from a scratch repository inside the git directory. The scratch repository can read the
 * objects of the real one, but has its own settings and branches. Objects from a remote stay in the scratch repository
 * until they are checked. If they are refused, they are deleted together with it.
 */
function makeScratch({ commonDir }: GitLocation, objectFormat: string): string {
  const scratch = join(commonDir, 'holdfast-sync');
  rmSync(scratch, { recursive: true, force: true });
  for (const name of ['objects/info', 'objects/pack', 'refs/heads']) {
    mkdirSync(join(scratch, name), { recursive: true, mode: 0o700 });
  }
  const objects = join(commonDir, 'objects');
  if (objects.includes('\n')) throw gitErrors.REMOTE_REFUSED('The path of the repository contains a line break');
  writeFileSync(join(scratch, 'objects', 'info', 'alternates'), `${objects}\n`);
  writeFileSync(join(scratch, 'HEAD'), 'ref: refs/heads/none\n');
  const isSha256 = objectFormat === 'sha256';
  writeFileSync(
    join(scratch, 'config'),
    configText([
      ['core.repositoryformatversion', isSha256 ? '1' : '0'],
      ['core.bare', 'true'],
      ...(isSha256 ? [['extensions.objectformat', 'sha256'] as const] : []),
    ]),
  );
  return scratch;
}

const settings = {
  // Checks every object, so that none has a name such as `.git` or `..`.
  'fetch.fsckObjects': 'true',
  // These oddities occur in the history of some public repositories and are harmless.
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.unpackLimit': '1',
  // Larger objects are not held in memory.
  'core.bigFileThreshold': '16m',
  // Without this setting, git would run for-each-ref in the real repository, with that repository's settings.
  'core.alternateRefsCommand': 'true',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  'credential.helper': '',
  'push.recurseSubmodules': 'no',
};

/** Answers git's prompt for a user name or password. The values are in the environment, not in the file. */
const ASKPASS = `#!/bin/sh
case "$1" in Username*) printf '%s\\n' "$HOLDFAST_REMOTE_USER" ;; *) printf '%s\\n' "$HOLDFAST_REMOTE_TOKEN" ;; esac
`;

function environment(scratch: string, { protocol, user }: Address, access: RemoteAccess): NodeJS.ProcessEnv {
  const connection = { GIT_DIR: scratch, ...connectionEnvironment(protocol, settings) };
  if (protocol === 'ssh') {
    const options = ['BatchMode=yes', 'ConnectTimeout=20', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'];
    const key = access.keyFile === undefined ? '' : ` -i ${quoted(access.keyFile)} -o IdentitiesOnly=yes`;
    const command = `ssh${options.map((option) => ` -o ${option}`).join('')}${key}`;
    return { ...connection, GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: 'ssh' };
  }
  if (protocol !== 'https' || access.token === undefined) return connection;
  const askpass = join(scratch, 'askpass');
  writeFileSync(askpass, ASKPASS, { mode: 0o700 });
  const credentials = { HOLDFAST_REMOTE_USER: user === '' ? 'token' : user, HOLDFAST_REMOTE_TOKEN: access.token };
  return { ...connection, GIT_ASKPASS: askpass, ...credentials };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the option that names the program for the remote side, if the remote is a path on this machine. The program
 * uses a shadow of the remote repository, because plain git would obey that repository's settings and run its hooks.
 */
export function serverOption(name: 'upload-pack' | 'receive-pack', url: string): string[] {
  if (!isAbsolute(url)) return [];
  const location = { root: url, gitDir: url, commonDir: url };
  const { GIT_COMMON_DIR: shadow = '' } = shadowEnvironment(location);
  const variables = { GIT_COMMON_DIR: shadow, ...connectionEnvironment('', {}) };
  const words = Object.entries(variables).map(([key, value]) => quoted(`${key}=${value ?? ''}`));
  return [`--${name}=env ${words.join(' ')} git ${name}`];
}

export interface Fetched {
  /** Tip of the branch; undefined if the remote repository does not have the branch. */
  readonly tip: string | undefined;
}

interface FetchOptions {
  readonly location: GitLocation;
  readonly objectFormat: string;
  readonly access: RemoteAccess;
  /** Commits that this repository has, so that the remote sends only newer ones. */
  readonly have: readonly string[];
  /** Checks the new commit before its objects are kept; throws to refuse it. */
  readonly check: (git: (args: readonly string[]) => Promise<RunResult>, tip: string) => Promise<void>;
}

/**
 * Fetches a branch without changing any branch of the repository. The caller must hold a lock, because a repository has
 * only one scratch repository.
 */
export async function fetchRemote(options: FetchOptions): Promise<Fetched> {
  const { location, objectFormat, access, have } = options;
  const address = checkAddress(access.url, access.allowsPath);
  const scratch = makeScratch(location, objectFormat);
  try {
    for (const [at, commit] of have.entries()) {
      writeFileSync(join(scratch, 'refs', 'heads', `ours-${at}`), `${commit}\n`);
    }
    const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc'];
    const refs = `+refs/heads/${access.branch}:${TIP}`;
    const args = ['fetch', ...flags, ...serverOption('upload-pack', address.url), '--', address.url, refs];
    const { code, stderr, isTooLarge } = await connect(scratch, args, address, access);
    if (isTooLarge) {
      throw gitErrors.REMOTE_REFUSED(`The remote repository sends more than ${access.bytesMax} bytes at once`);
    }
    if (code !== 0 && /couldn't find remote ref/.test(stderr)) return { tip: undefined };
    if (code !== 0) throw connectionFailed('fetch', stderr);
    const tip = readFileSync(join(scratch, TIP), 'utf8').trim();
    await options.check((command) => inScratch(scratch, command), tip);
    failpoint('git.remote.fetched');
    await keepPacks(scratch, location);
    return { tip };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function inScratch(scratch: string, args: readonly string[]): Promise<RunResult> {
  return finished(spawnGit(args, scratch, {}, { GIT_DIR: scratch }), undefined);
}

interface Connected extends RunResult {
  readonly isTooLarge: boolean;
}

async function connect(
  scratch: string,
  args: readonly string[],
  address: Address,
  access: RemoteAccess,
): Promise<Connected> {
  const child = spawnGit(args, scratch, {}, environment(scratch, address, access));
  let isTooLarge = false;
  const timer = setInterval(() => {
    if (receivedBytes(scratch) <= access.bytesMax) return;
    isTooLarge = true;
    child.kill('SIGKILL');
  }, SIZE_EVERY_MS);
  try {
    const result = await finished(child, undefined, TIME_MAX);
    return { ...result, isTooLarge: isTooLarge || receivedBytes(scratch) > access.bytesMax };
  } finally {
    clearInterval(timer);
  }
}

function receivedBytes(scratch: string): number {
  const folder = join(scratch, 'objects', 'pack');
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function isIndex(name: string): boolean {
  return name.endsWith('.idx');
}

/** Moves packs into the repository. Moves the index of a pack last, because git ignores a pack without an index. */
async function keepPacks(scratch: string, { commonDir }: GitLocation): Promise<void> {
  const from = join(scratch, 'objects', 'pack');
  const to = join(commonDir, 'objects', 'pack');
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => /^pack-[0-9a-f]+\.(?:pack|rev|idx)$/.test(name));
  for (const name of [...names.filter((each) => !isIndex(each)), ...names.filter(isIndex)]) {
    if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
    failpoint('git.remote.kept');
  }
  await syncFolder(to);
}

/** Pushes a commit to the branch. `rejected`: the remote branch has commits that the pushed commit lacks. */
export async function pushRemote(
  location: GitLocation,
  objectFormat: string,
  access: RemoteAccess,
  commit: string,
): Promise<'pushed' | 'rejected'> {
  const address = checkAddress(access.url, access.allowsPath);
  const scratch = makeScratch(location, objectFormat);
  try {
    const flags = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no'];
    const refs = `${commit}:refs/heads/${access.branch}`;
    const args = ['push', ...flags, ...serverOption('receive-pack', address.url), '--', address.url, refs];
    const { code, stdout, stderr } = await connect(scratch, args, address, access);
    if (code === 0) return 'pushed';
    const said = `${stdout.toString('utf8')}\n${stderr}`;
    if (
      /\((?:fetch first|non-fast-forward|stale info)\)|failed to update ref|cannot lock ref|incorrect old value/.test(
        said,
      )
    )
      return 'rejected';
    throw connectionFailed('push', said);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const SAID_MAX = 500;

/** Reports the last lines that git printed. Removes control characters, because the remote wrote part of the text. */
function connectionFailed(command: string, said: string): Error {
  const lines = said
    .split('\n')
    .filter((line) => /^(?:fatal|error|remote|!|ssh|Host key|.*Permission denied)/.test(line));
  const text = lines
    .join(' ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(-SAID_MAX);
  const why = text === '' ? 'git gave no reason' : text;
  if (/fsck|hasDot|fullPathname|nullSha1|badTree|treeNotSorted/i.test(said))
    return gitErrors.REMOTE_REFUSED(`git ${command}: ${why}`);
  return gitErrors.REMOTE_UNREACHABLE(`git ${command}: ${why}`);
}

/** Counts the commits that only the first commit contains, and those that only the second contains. */
export async function distance(
  folder: string,
  ours: string,
  theirs: string,
): Promise<{ ahead: number; behind: number }> {
  const text = await gitText(['rev-list', '--count', '--left-right', `${ours}...${theirs}`, '--'], { folder });
  const [ahead = 0, behind = 0] = text.trim().split(/\s+/).map(Number);
  return { ahead, behind };
}

/**
 * Points a reference to a commit, so that git keeps the commit's objects. Removes the reference if no commit is given.
 */
export async function setReference(folder: string, name: string, commit: string | undefined): Promise<void> {
  const args = commit === undefined ? ['update-ref', '-d', name] : ['update-ref', name, commit];
  await runGit(args, { folder });
}
