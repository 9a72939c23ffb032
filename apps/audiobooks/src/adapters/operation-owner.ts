import { hostname } from 'node:os';

import { identityOf, isAlive, type ProcessIdentity } from '@holdfast/base';

interface Owner extends ProcessIdentity {
  readonly host: string;
}

export function ownerOfThisProcess(): string {
  const owner: Owner = { host: hostname(), ...identityOf(process.pid) };
  return JSON.stringify(owner);
}

/** Returns undefined for a process on another machine. */
export function isOwnerAlive(stored: string): boolean | undefined {
  const owner = JSON.parse(stored) as Owner;
  return owner.host === hostname() ? isAlive(owner) : undefined;
}
