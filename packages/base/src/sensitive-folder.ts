import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { sep } from 'node:path';

/** Names of files that hold passwords or keys. A server must not publish a folder that contains one. */
const credentialFiles =
  /^(\.netrc|\.git-credentials|\.pgpass|\.pypirc|\.htpasswd|credentials(\.json)?|id_(rsa|dsa|ecdsa|ed25519)|.+\.(key|p12|pfx|jks|keystore|kdbx))$/i;

/** Home directories of all users. A server often runs under an account whose own home directory is elsewhere. */
const homes = /^\/(?:home|Users)\/[^/]+$|^\/root$/;
const aroundHomes = /^\/(?:home|Users)?$/;

/**
 * Returns the reason why a folder must not be published as a notebook, library or repository; undefined if it may be
 * published. Follows symbolic links. Hidden folders hold settings and keys, and a home directory holds private files.
 * Hidden names below `except` are allowed, because the data home is usually in a hidden folder.
 */
export function sensitiveFolder(given: string, { except }: { readonly except?: string } = {}): string | undefined {
  const path = existsSync(given) ? realpathSync(given) : given;
  const isOurs = except !== undefined && isWithin(path, except);
  const visible = isOurs ? path.slice(except.length) : path;
  const hidden = visible.split(sep).find((name) => name.startsWith('.') && name !== '.' && name !== '..');
  if (hidden !== undefined) return `it is hidden (${hidden})`;
  if (path === homedir() || homes.test(path)) return 'it is a home directory';
  if (isWithin(homedir(), path) || aroundHomes.test(path)) return 'it contains home directories';
  const credential = isOurs ? undefined : entriesOf(path).find((name) => credentialFiles.test(name));
  return credential === undefined ? undefined : `it contains credentials (${credential})`;
}

/** Returns whether `inner` is `outer` or inside it. */
export function isWithin(inner: string, outer: string): boolean {
  const prefix = outer.endsWith(sep) ? outer : `${outer}${sep}`;
  return inner === outer || inner.startsWith(prefix);
}

function entriesOf(path: string): readonly string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  try {
    return readdirSync(path);
  } catch {
    // If the folder cannot be listed, opening it later fails with a better error.
    return [];
  }
}
