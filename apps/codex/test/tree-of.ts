import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns all files of a notebook by path, except those of git and codex. */
export function treeOf(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).toSorted()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.git' || path === '.codex') continue;
    if (statSync(join(root, path)).isDirectory()) Object.assign(found, treeOf(root, path));
    else found[path] = readFileSync(join(root, path), 'utf8');
  }
  return found;
}
