/** Folders of the installed programs. Everything in them can be deleted at any time and is created again. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url));

/** `HOLDFAST_CACHE` moves the cache out of the repository, so several clones can share it. */
export function provisionFolder(environment = process.env) {
  return join(environment['HOLDFAST_CACHE'] ?? join(repositoryFolder, '.cache'), 'provision');
}
