/** Provides an environment in which tests and commands find every component, whether installed or unpacked. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { provisionFolder } from './folders.mjs';

/** Debian installs servers such as nats-server and PostgreSQL here, outside an ordinary user's PATH. */
const serversFolders = ['/usr/sbin', '/usr/lib/postgresql/15/bin'];

export function withServers(path) {
  const folders = path.split(delimiter);
  return [path, ...serversFolders.filter((folder) => !folders.includes(folder))].join(delimiter);
}

/**
 * Changes only PATH: a small script starts each unpacked program and sets the library path for it alone. If the
 * environment set a library path, it would also affect Node and every program that a test starts.
 */
export function provisionedEnvironment(environment = process.env) {
  const unpacked = join(provisionFolder(environment), 'bin');
  const path = withServers(environment['PATH'] ?? '');
  return { ...environment, PATH: existsSync(unpacked) ? [unpacked, path].join(delimiter) : path };
}
