import { hostname } from 'node:os';
import { identityOf, isAlive, type ProcessIdentity } from '@holdfast/base';

interface Owner extends ProcessIdentity {
  readonly host: string;
}

export function ownerOfThisProcess(): string {
  const owner: Owner = { host: hostname(), ...identityOf(process.pid) };
  return JSON.stringify(owner);
}

/** Returns whether the owner process is running; undefined if it is on another machine. */
export function isOwnerAlive(stored: string): boolean | undefined {
  const owner = JSON.parse(stored) as Owner;
  return owner.host === hostname() ? isAlive(owner) : undefined;
}

/** Calls `action` periodically without keeping the process alive; returns a stop function. */
export function every(milliseconds: number, action: () => void): () => void {
  const timer = setInterval(action, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
