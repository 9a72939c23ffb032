import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { locateGit } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';

export interface SandboxedProcess {
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory of the process. */
  readonly folder: string;
  /** Root of the git worktree that the process may change. Without one, it may change only `folder`. */
  readonly worktree: string | undefined;
  /** Folders below /tmp or /run that the process may read; everything else there is hidden. */
  readonly readable: readonly string[];
  readonly hasNetwork: boolean;
}

/** Hides /run and /tmp, because a process could leave the sandbox through their sockets, such as Docker's. */
const isolated =
  '--unshare-all --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /run --tmpfs /tmp --setenv TMPDIR /tmp'.split(
    ' ',
  );

/** systemd's list of name servers, to which /etc/resolv.conf often links. */
const NAME_SERVERS = '/run/systemd/resolve';

const mount = (option: string, paths: readonly string[]): string[] => paths.flatMap((path) => [option, path, path]);

/** Returns the bubblewrap command that runs a process with one writable folder. */
export function sandboxed(request: SandboxedProcess): { readonly command: string; readonly args: readonly string[] } {
  const { command, args, readable, hasNetwork } = request;
  const folder = realpathSync(request.folder);
  const writable = realpathSync(request.worktree ?? folder);
  const network = hasNetwork ? ['--share-net', ...mount('--ro-bind-try', [NAME_SERVERS])] : [];
  return {
    command: 'bwrap',
    args: [
      ...isolated,
      ...network,
      // Later mounts cover earlier ones.
      ...mount(
        '--ro-bind',
        readable.filter((path) => existsSync(path)).map((path) => realpathSync(path)),
      ),
      ...mount('--bind', [writable]),
      ...(request.worktree === undefined ? [] : gitMounts(writable)),
      '--chdir',
      folder,
      '--',
      command,
      ...args,
    ],
  };
}

/**
 * For `git commit` with a detached HEAD, makes the worktree's own git directory and the object store writable.
 * Branches, settings and hooks stay read-only, as do packed objects and the files that name other repositories.
 */
function gitMounts(worktree: string): string[] {
  const location = locateGit(worktree, true);
  if (location === undefined || location.gitDir === join(worktree, '.git')) return [];
  const { gitDir, commonDir } = location;
  const objects = join(commonDir, 'objects');
  const fixed = [
    join(worktree, '.git'),
    ...['commondir', 'gitdir', 'config.worktree'].map((name) => join(gitDir, name)),
    ...['pack', 'info'].map((name) => join(objects, name)),
  ];
  return [...mount('--ro-bind', [commonDir]), ...mount('--bind', [gitDir, objects]), ...mount('--ro-bind-try', fixed)];
}

/** Throws SANDBOX_UNAVAILABLE unless bubblewrap can isolate a process on this system. */
export function requireSandbox(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('bwrap', [...isolated, '--', 'true'], { env: { ...env }, encoding: 'utf8' }, (error, _, stderr) => {
      if (error === null) return resolve();
      const isMissing = error.code === 'ENOENT';
      const why = isMissing ? 'bwrap was not found' : `bwrap cannot isolate processes here: ${stderr.trim()}`;
      return reject(ringmasterErrors.SANDBOX_UNAVAILABLE(why, { cause: error }));
    });
  });
}
