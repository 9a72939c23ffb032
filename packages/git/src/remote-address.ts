import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { gitErrors } from './errors.ts';

/** A branch of a remote repository, and the credentials for it. */
export interface RemoteAccess {
  readonly url: string;
  /** Name of the branch, without `refs/heads/`. */
  readonly branch: string;
  /** True if the user has allowed a path on this machine. */
  readonly allowsPath: boolean;
  /** Absolute path of a private ssh key. Without it, ssh uses the user's agent and default keys. */
  readonly keyFile?: string | undefined;
  /** Password for https. */
  readonly token?: string | undefined;
  /** Fetching more bytes than this is refused. */
  readonly bytesMax: number;
}

export interface Address {
  readonly protocol: 'https' | 'ssh' | 'file';
  readonly url: string;
  /** The user in the address; empty if there is none. */
  readonly user: string;
}

/** `USER@HOST:PATH`, as for scp. */
const scpForm = /^(?:([\w.~+-]+)@)?([A-Za-z0-9][\w.-]*):(?!\/\/|:)([^\s:-][^\s]*)$/;
const sshForm = /^ssh:\/\/(?:([\w.~+-]+)@)?[A-Za-z0-9][\w.-]*(?::\d{1,5})?\/\S+$/;
const httpsForm = /^https:\/\/[^\s\\]+$/;

/**
 * Checks the address of a remote repository. Accepts only the supported protocols, because some of git's protocols
 * start a program named in the address.
 */
export function checkAddress(url: string, allowsPath: boolean): Address {
  if (httpsForm.test(url)) return checkHttps(url);
  const [, user = ''] = sshForm.exec(url) ?? scpForm.exec(url) ?? [];
  if (sshForm.test(url) || (scpForm.test(url) && !isAbsolute(url))) return { protocol: 'ssh', url, user };
  if (!isAbsolute(url)) throw refusedAddress('is neither an https or ssh address nor an absolute path');
  if (!allowsPath) throw refusedAddress('is a path on this machine, which you have to allow explicitly');
  return checkPath(url);
}

function checkHttps(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.hostname === '') throw refusedAddress('is not a valid address');
  if (parsed.password !== '') throw refusedAddress('contains a password; store it as a token instead');
  return { protocol: 'https', url, user: decodeURIComponent(parsed.username) };
}

/**
 * Accepts only a bare repository, because pushing into the checked-out branch of a working tree would damage that tree.
 */
function checkPath(url: string): Address {
  // oxlint-disable-next-line no-control-regex -- refuses control characters
  if (/[\u0000-\u001f]/.test(url)) throw refusedAddress('contains a control character');
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(url, name)));
  if (!isBare || !lstatSync(url).isDirectory()) {
    throw refusedAddress('is not a bare repository; create one with `git init --bare`');
  }
  return { protocol: 'file', url, user: '' };
}

/** The message does not repeat the address, which may contain a password. */
function refusedAddress(why: string): Error {
  return gitErrors.REMOTE_ADDRESS(`The address ${why}`);
}
