import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

import type { FileSignature } from '../model/scanned.ts';
import { signatureOf } from './file-source.ts';

/** The entries of a folder. Links are never followed; links out of the library are reported. */
export interface FolderListing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
}

/** A folder that has gone has nothing in it; neither has one that cannot be read, which says why. */
export async function listFolder(path: string): Promise<FolderListing & { readonly problem?: string }> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const nothing = { folders: [], files: [], links: [] };
    return code === 'ENOENT' ? nothing : { ...nothing, problem: message };
  }
  const folders: string[] = [];
  const files: string[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    if (entry.isSymbolicLink()) links.push(entry.name);
    else if (entry.isDirectory()) folders.push(entry.name);
    else if (entry.isFile()) files.push(entry.name);
  }
  return { folders, files, links };
}

/** Whether a link leads somewhere outside of the root. One that leads nowhere does not. */
export async function leadsOutside(root: string, path: string): Promise<boolean> {
  try {
    const [target, base] = [await realpath(path), await realpath(root)];
    return target !== base && !target.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
  } catch {
    return false;
  }
}

/** Nothing for what is gone or is no file. */
export async function signatureAt(root: string, path: string): Promise<FileSignature | undefined> {
  try {
    const stats: BigIntStats = await lstat(join(root, path), { bigint: true });
    return stats.isFile() ? signatureOf(stats) : undefined;
  } catch {
    return undefined;
  }
}
