import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { tryGit } from './git.ts';

export interface CodeFile {
  readonly path: string;
  readonly text: string;
  readonly changedAt: number;
}

const FILE_BYTES_MAX = 256 * 1024;
const FILES_WALKED_MAX = 5_000;
const TERMS_MAX = 12;
/** Generated files, which do not belong in a prompt. */
const generated =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|[^/]+\.lock|[^/]+\.min\.\w+|[^/]+\.(?:map|snap|svg))$/;
/** Files with secrets, which never go into a prompt. */
const secret =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.npmrc|\.netrc|\.pgpass|id_(?:rsa|ed25519|ecdsa)[^/]*|[^/]+\.(?:pem|key|p12|pfx|jks|kdbx))$/i;
const hiddenFolder = /(?:^|\/)(?:\.[^/]+|node_modules|dist|build|target|vendor|__pycache__)(?:\/|$)/;

export interface CodeSearch {
  /** Words to search for, most significant first. */
  readonly terms: readonly string[];
  /** Maximum number of files. Files with the most matches come first. */
  readonly limit: number;
  /** Number of file names that the task mentions. If it is 0, the search need not list all files. */
  readonly names: number;
  /** Selects files to include even without a match. */
  readonly isWanted: (path: string) => boolean;
}

/**
 * In a repository, searches the files that git does not ignore; elsewhere, searches all files. Always skips generated
 * and secret files.
 */
export async function findCode(folder: string, search: CodeSearch): Promise<readonly CodeFile[]> {
  const counts = (await gitCounts(folder, search)) ?? walkedCounts(folder, search);
  return [...counts]
    .filter(([path]) => !generated.test(path) && !secret.test(path))
    .sort(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))
    .slice(0, search.limit)
    .flatMap(([path]) => readCode(folder, path) ?? []);
}

/** Returns the number of matching lines per file; undefined outside a repository. */
async function gitCounts(
  folder: string,
  { terms, names, isWanted }: CodeSearch,
): Promise<Map<string, number> | undefined> {
  const words = terms.slice(0, TERMS_MAX).flatMap((term) => ['-e', term]);
  const [found, listed] = await Promise.all([
    words.length === 0 ? nothing : ask(folder, ['grep', '--untracked', '-I', '-i', '-F', '-c', '-z', ...words]),
    names === 0 ? nothing : ask(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']),
  ]);
  if (found === undefined || listed === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const [, path = '', count] of found.matchAll(/([^\0\n]+)\0(\d+)\n/g)) counts.set(path, Number(count));
  for (const path of listed.split('\0')) if (path !== '' && isWanted(path)) counts.set(path, Infinity);
  for (const path of counts.keys()) if (path.startsWith('.ringmaster/')) counts.delete(path);
  return counts;
}

const nothing = '';
/** git grep exits with 1 if nothing matched; higher exit codes are errors. */
const EXIT_NOTHING_FOUND = 1;

async function ask(folder: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await tryGit(folder, args).catch(() => undefined);
  return answer === undefined || answer.code > EXIT_NOTHING_FOUND ? undefined : answer.stdout;
}

function walkedCounts(folder: string, { terms, isWanted }: CodeSearch): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of walk(folder)) {
    const text = readCode(folder, path)?.text.toLowerCase();
    if (text === undefined) continue;
    const hits = terms.filter((term) => text.includes(term)).length;
    if (isWanted(path)) counts.set(path, Infinity);
    else if (hits > 0) counts.set(path, hits);
  }
  return counts;
}

function walk(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !hiddenFolder.test(path)) folders.push(path);
      else if (entry.isFile() && found.length < FILES_WALKED_MAX) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    // Skips folders without read permission.
    return [];
  }
}

/** Returns undefined if the file is binary, too long, or missing. */
function readCode(folder: string, path: string): CodeFile | undefined {
  try {
    // Does not follow a symbolic link, which could lead out of the folder.
    const found = lstatSync(join(folder, path));
    if (!found.isFile() || found.size > FILE_BYTES_MAX) return undefined;
    const bytes = readFileSync(join(folder, path));
    if (bytes.includes(0)) return undefined;
    return { path, text: bytes.toString('utf8'), changedAt: found.mtimeMs };
  } catch {
    return undefined;
  }
}
