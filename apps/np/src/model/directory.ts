import { blake3Hex } from './hash.ts';

/** A directory by its canonical path: absolute, without symbolic links, with forward slashes. */

/** The last step of canonicalisation; links and relative parts are already resolved. */
export function canonicalForm(resolvedPath: string, platform: string): string {
  if (platform !== 'win32') return resolvedPath;
  const slashed = resolvedPath.replaceAll('\\', '/').toLowerCase();
  // Windows puts a prefix before long and resolved paths.
  return slashed.replace(/^\/\/\?\/unc\//u, '//').replace(/^\/\/\?\//u, '');
}

export function directoryHash(canonicalPath: string): string {
  return blake3Hex(canonicalPath);
}

/** Returns the directory itself and everything above it, nearest first. */
export function withParents(canonicalPath: string): readonly string[] {
  const found = new Set<string>();
  for (let path = canonicalPath; !found.has(path); path = parentOf(path)) found.add(path);
  return [...found];
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return path;
  const parent = path.slice(0, slash);
  // Roots are their own parents: `/`, `c:/` and `//server/share`.
  if (parent === '') return '/';
  if (/^[a-z]:$/u.test(parent)) return `${parent}/`;
  return parent.startsWith('//') && !parent.includes('/', 2) ? path : parent;
}
