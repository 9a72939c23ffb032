import { mkdirSync } from 'node:fs';

import { MEBIBYTE, SerialQueues } from '@holdfast/base';
import {
  checkAddress,
  fetchRemote,
  gitErrors,
  initRepository,
  locateGit,
  pushRemote,
  type RemoteAccess,
  remoteUrl,
  setReference,
} from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';

const REMOTE = 'origin';
const FETCH_BYTES_MAX = 4_096 * MEBIBYTE;

/** A branch of the remote repository through which machines exchange the work of attempts. */
export interface RemoteBranch {
  /** Root of the repository on this machine. */
  readonly repository: string;
  readonly url: string;
  /** True if `url` may be a path on this machine. That is allowed only if the user of this machine configured it. */
  readonly allowsPath: boolean;
  readonly branch: string;
}

export function originOf(repository: string): string | undefined {
  return remoteUrl(repository, REMOTE);
}

/** Returns the address that other machines can use; null for a path on this machine. */
export function sharedAddress(url: string): string | null {
  return checkAddress(url, true).protocol === 'file' ? null : url;
}

/**
 * Runs one connection per repository at a time, because all connections of a repository share one scratch repository.
 */
const connections = new SerialQueues();

/**
 * Fetches the branch. Throws if its last commit is not `wanted` or does not contain `base`; in that case, keeps none of
 * the fetched objects. Returns false if the remote has no such branch.
 */
export function fetchBranch(remote: RemoteBranch, wanted: string, base: string | undefined): Promise<boolean> {
  const { repository, branch } = remote;
  return connections.run(repository, async () => {
    const { tip } = await fetchRemote({
      location: locationOf(repository),
      objectFormat: formatOf(wanted),
      access: accessTo(remote),
      have: base === undefined ? [] : [base],
      check: async (git, found) => {
        if (found !== wanted) {
          throw ringmasterErrors.BRANCH_NOT_ARRIVED(`${branch} is at ${found}, not at ${wanted}`);
        }
        if (base === undefined || (await git(['merge-base', '--is-ancestor', base, found])).code === 0) return;
        throw gitErrors.REMOTE_REFUSED(`${branch} does not contain the commit ${base}, with which the attempt began`);
      },
    });
    return tip !== undefined;
  });
}

/** Pushes the commit. Throws if the remote branch has commits that `commit` does not contain. */
export async function pushBranch(remote: RemoteBranch, commit: string): Promise<void> {
  const { repository, branch } = remote;
  const pushed = await connections.run(repository, () =>
    pushRemote(locationOf(repository), formatOf(commit), accessTo(remote), commit),
  );
  if (pushed === 'rejected') throw gitErrors.REMOTE_REFUSED(`The remote branch ${branch} has other commits`);
}

/** Deletes the branch in the remote repository. */
export async function deleteRemoteBranch(remote: RemoteBranch, format: string): Promise<void> {
  const { repository } = remote;
  // Pushing no commit deletes the branch.
  await connections.run(repository, () => pushRemote(locationOf(repository), formatOf(format), accessTo(remote), ''));
}

export function setBranch(repository: string, branch: string, commit: string): Promise<void> {
  return setReference(repository, `refs/heads/${branch}`, commit);
}

/** Creates an empty repository on a machine that works for a server. Attempts fetch their branches into it later. */
export async function makeClone(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { code, stderr } = await initRepository(folder);
  if (code !== 0) throw gitErrors.GIT_FAILED(`git init: ${stderr.trim()}`);
}

function locationOf(repository: string): NonNullable<ReturnType<typeof locateGit>> {
  const location = locateGit(repository, true);
  if (location === undefined) throw ringmasterErrors.FOLDER_NOT_USABLE(`${repository} is not a git repository`);
  return location;
}

function formatOf(commit: string): string {
  return commit.length > 40 ? 'sha256' : 'sha1';
}

function accessTo({ url, branch, allowsPath }: RemoteBranch): RemoteAccess {
  const token = tokenFor(url, process.env['RINGMASTER_GIT_TOKEN']);
  return { url, branch, allowsPath, token, bytesMax: FETCH_BYTES_MAX };
}

/**
 * Returns the token for an https address, if `setting` (`HOST=TOKEN`) names its host. The address comes from a
 * repository's settings or from a server, and neither may choose who receives the token.
 */
export function tokenFor(url: string, setting: string | undefined): string | undefined {
  if (setting === undefined || setting === '' || !url.startsWith('https://')) return undefined;
  const [, host, token] = /^([^=/]+)=(.+)$/.exec(setting) ?? [];
  if (host === undefined) {
    throw ringmasterErrors.CONFIG_INVALID('RINGMASTER_GIT_TOKEN does not name the host that may receive the token', {
      hint: 'Set it to HOST=TOKEN, for example github.com=TOKEN.',
    });
  }
  return new URL(url).host === host.toLowerCase() ? token : undefined;
}
