/** An environment in which tests and commands find every component, installed or unpacked. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { provisionFolder } from './folders.mjs';

/** Debian installs servers such as nats-server here, outside an ordinary user's PATH. */
const serversFolder = '/usr/sbin';

export function withServers(path) {
  return path.split(delimiter).includes(serversFolder) ? path : [path, serversFolder].join(delimiter);
}

/**
 * Only PATH changes: an unpacked program is started by a small script that sets its own library path. A library path
 * exported to everything would also reach Node and every program that a test starts.
 */
export function provisionedEnvironment(environment = process.env) {
  const unpacked = join(provisionFolder(environment), 'bin');
  const path = withServers(environment['PATH'] ?? '');
  return { ...environment, PATH: existsSync(unpacked) ? [unpacked, path].join(delimiter) : path };
}
