/** Where things lie. Everything made here can be deleted at any time and is made again when needed. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url));

/** `HOLDFAST_CACHE` moves the cache out of the repository, so that several clones can share one. */
export function provisionFolder(environment = process.env) {
  return join(environment['HOLDFAST_CACHE'] ?? join(repositoryFolder, '.cache'), 'provision');
}
