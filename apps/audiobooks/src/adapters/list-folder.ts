import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { FileSignature } from '../model/scanned.ts';
import { signatureOf } from './file-source.ts';

/** The entries of a folder. Links are listed separately and not followed. */
interface FolderListing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
  /** Names that are not UTF-8, with each non-ASCII byte written like `\xe9`. Node cannot open these entries by name. */
  readonly unnameable?: readonly string[];
}

/**
 * Lists a folder. Returns an empty listing for a missing folder, and a listing with a `problem` for an unreadable one.
 */
export async function listFolder(path: string): Promise<FolderListing & { readonly problem?: string }> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const nothing = { folders: [], files: [], links: [] };
    return code === 'ENOENT' ? nothing : { ...nothing, problem: message };
  }
  const unnameable = entries.some(({ name }) => name.includes(REPLACEMENT)) ? await namesNotUtf8(path) : new Map();
  const folders: string[] = [];
  const files: string[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    if (unnameable.has(entry.name)) continue;
    if (entry.isSymbolicLink()) links.push(entry.name);
    else if (entry.isDirectory()) folders.push(entry.name);
    else if (entry.isFile()) files.push(entry.name);
  }
  return { folders, files, links, ...(unnameable.size === 0 ? {} : { unnameable: [...unnameable.values()].flat() }) };
}

/** Node replaces bytes that are not UTF-8 with this character. A valid name may also contain it. */
const REPLACEMENT = '\uFFFD';

/**
 * Returns the names that are not UTF-8, in readable form. The key is the name as Node decodes it. Several names can
 * decode to the same key.
 */
async function namesNotUtf8(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const bytes of await readdir(path, { encoding: 'buffer' })) {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) continue;
    const readable = [...bytes].map((byte) => (byte < 0x80 ? String.fromCodePoint(byte) : `\\x${byte.toString(16)}`));
    found.set(name, [...(found.get(name) ?? []), readable.join('')]);
  }
  return found;
}

/** Returns whether a link leads outside the root; false for a dangling link. */
export async function leadsOutside(root: string, path: string): Promise<boolean> {
  try {
    const [target, base] = [await realpath(path), await realpath(root)];
    return target !== base && !target.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
  } catch {
    return false;
  }
}

/** Returns the signature of a file; undefined if the path is not a file. */
export async function signatureAt(root: string, path: string): Promise<FileSignature | undefined> {
  try {
    const stats: BigIntStats = await lstat(join(root, path), { bigint: true });
    return stats.isFile() ? signatureOf(stats) : undefined;
  } catch {
    return undefined;
  }
}

export interface DiskView {
  /** Returns an empty map if the folder does not exist. Does not follow links. */
  entries(folder: string): Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>>;
}

/** Returns a view that reads each folder only once. */
export function diskView(root: string): DiskView {
  const listed = new Map<string, Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>>>();
  const list = async (folder: string): Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>> => {
    const { folders, files, links } = await listFolder(join(root, folder));
    return new Map([
      ...folders.map((name) => [name, 'folder'] as const),
      ...files.map((name) => [name, 'file'] as const),
      ...links.map((name) => [name, 'link'] as const),
    ]);
  };
  return {
    entries(folder) {
      const known = listed.get(folder) ?? list(folder);
      listed.set(folder, known);
      return known;
    },
  };
}
