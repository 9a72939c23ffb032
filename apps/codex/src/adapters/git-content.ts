import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { isHoldfastError, KIBIBYTE, MEBIBYTE, syncFolder } from '@holdfast/base';
import { gitErrors, gitFailed, gitText, nulTerminated, runGit } from '@holdfast/git';

import {
  type Attributes,
  ATTRIBUTES,
  EXECUTABLE_MODE,
  FILE_MODE,
  type PendingRow,
  type TreeEntry,
} from '../model/git.ts';
import type { DiskState } from '../model/operation.ts';
import { readStaged } from './blobs.ts';
import { type IndexChange, parseRawDiff } from './git-index.ts';
import type { Repository } from './git-repository.ts';
import { Tree } from './tree.ts';

/** Content up to this size stays in memory until the import; larger content is read twice to save memory. */
const KEPT_EACH_MAX = 256 * KIBIBYTE;
const KEPT_MAX = 64 * MEBIBYTE;

/** Staged content of a batch, and its git ids. */
export class StagedBlobs {
  readonly #tree: Tree;
  readonly #format: string;
  readonly #ids = new Map<string, string>();
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;

  constructor({ folder, objectFormat }: Repository) {
    this.#tree = new Tree(folder);
    this.#format = objectFormat;
  }

  async prepare(row: PendingRow): Promise<void> {
    const { hash = '' } = row;
    if (this.#ids.has(hash)) return;
    const bytes = await this.content(row);
    this.#ids.set(hash, gitBlobId(bytes, this.#format));
    if (bytes.length > KEPT_EACH_MAX || this.#keptBytes + bytes.length > KEPT_MAX) return;
    this.#kept.set(hash, bytes);
    this.#keptBytes += bytes.length;
  }

  id({ hash = '' }: PendingRow): string {
    return this.#ids.get(hash) ?? '';
  }

  async content(row: PendingRow): Promise<Uint8Array> {
    const { hash = '', size, inline } = row;
    return this.#kept.get(hash) ?? readStaged(this.#tree, { hash, size }, inline);
  }

  [Symbol.dispose](): void {
    this.#tree.close();
  }
}

export function gitBlobId(bytes: Uint8Array, objectFormat: string): string {
  return createHash(objectFormat).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Files of a notebook on disk, in the form in which git would store them. */
export class FilesOnDisk {
  readonly #tree: Tree;
  readonly #format: string;

  constructor({ folder, objectFormat }: Repository) {
    this.#tree = new Tree(folder);
    this.#format = objectFormat;
  }

  /** Returns undefined if there is neither a file nor a folder. */
  state(path: string): DiskState | undefined {
    try {
      return this.#tree.state(path);
    } catch (error) {
      // A parent of the path is a link or a file.
      if (isHoldfastError(error)) return undefined;
      throw error;
    }
  }

  /** Returns undefined if there is no regular file. */
  entry(path: string): TreeEntry | undefined {
    if (this.state(path)?.kind !== 'file') return undefined;
    const place = this.#tree.place(path);
    if (place === undefined) return undefined;
    let descriptor: number;
    try {
      descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
    try {
      const mode = (fstatSync(descriptor).mode & 0o100) === 0 ? FILE_MODE : EXECUTABLE_MODE;
      return { mode, oid: gitBlobId(readFileSync(descriptor), this.#format) };
    } finally {
      closeSync(descriptor);
    }
  }

  [Symbol.dispose](): void {
    this.#tree.close();
  }
}

export async function readAttributes(
  { root }: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const found = new Map<string, Attributes>();
  if (paths.length === 0) return found;
  const input = paths.map((path) => `${path}\0`).join('');
  const output = await gitText(['check-attr', '-z', '--stdin', ...ATTRIBUTES], { folder: root, input });
  const fields = output.split('\0');
  // The output repeats three fields: path, attribute name and value.
  const step = 3 * ATTRIBUTES.length;
  for (let at = 0; at + step <= fields.length; at += step) {
    const value = (nth: number): string => fields[at + 3 * nth + 2] ?? 'unspecified';
    found.set(fields[at] ?? '', {
      text: value(0),
      eol: value(1),
      filter: value(2),
      ident: value(3),
      encoding: value(4),
    });
  }
  return found;
}

/** Returns whether git converts line endings by default. */
export async function isAutoCrlf(folder: string): Promise<boolean> {
  const { stdout } = await runGit(['config', '--get', 'core.autocrlf'], { folder, expected: [1] });
  return /^(true|input)$/i.test(stdout.toString('utf8').trim());
}

/** Stores content as a blob, converted as git would convert a file at this path. Returns the blob id. */
export async function storeConverted(
  { root, commonDir }: Repository,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', `--path=${path}`];
  const oid = (await gitText(args, { folder: root, input: bytes })).trim();
  await syncFolder(join(commonDir, 'objects', oid.slice(0, 2))).catch((error: unknown) => {
    // The object is already in a pack.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  return oid;
}

/** Returns the files in the notebook that differ between two commits, with their entries in both commits. */
export async function changedEntries(repository: Repository, from: string, to: string): Promise<IndexChange[]> {
  const below = repository.prefix === '' ? [] : ['--', repository.prefix];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to, ...below];
  const { stdout } = await runGit(args, { folder: repository.root });
  return parseRawDiff(stdout);
}

export interface KeptOut {
  readonly ignored: ReadonlySet<string>;
  /** Paths inside another repository, such as a submodule. */
  readonly nested: ReadonlySet<string>;
}

export async function keptOutPaths(repository: Repository, paths: readonly string[]): Promise<KeptOut> {
  let nested = pathsBelow(paths, (folder) => existsSync(join(repository.root, folder, '.git')));
  const asked = (): string[] => paths.filter((path) => !nested.has(path));
  let ignored = await ignoredPaths(repository, asked());
  if (ignored === undefined) {
    // git refuses paths in a submodule. Only the index shows the submodule, because its folder is missing or empty.
    const submodules = await submodulePaths(repository);
    nested = new Set([...nested, ...pathsBelow(paths, (folder) => submodules.has(folder))]);
    ignored = await ignoredPaths(repository, asked());
  }
  if (ignored === undefined)
    throw gitErrors.GIT_FAILED('git check-ignore finds a submodule that the index does not have');
  return { ignored, nested };
}

/** Returns undefined if a path is in a submodule: git then reports nothing about any path. */
async function ignoredPaths(repository: Repository, paths: readonly string[]): Promise<Set<string> | undefined> {
  if (paths.length === 0) return new Set();
  const args = ['check-ignore', '-z', '--stdin'];
  const { code, stdout, stderr } = await runGit(args, {
    folder: repository.root,
    // Without `./`, git would read a path that starts with a colon as a pattern.
    input: paths.map((path) => `./${path}\0`).join(''),
    literalPaths: false,
    expected: [1, 128],
  });
  if (code === 128 && / is in submodule /.test(stderr)) return undefined;
  if (code === 128) throw gitFailed(args, code, stderr);
  return new Set(nulTerminated(stdout).map((path) => path.slice(2)));
}

async function submodulePaths({ root }: Repository): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(['ls-files', '--stage', '-z'], { folder: root });
  return new Set(
    nulTerminated(stdout).flatMap((line) => (line.startsWith('160000 ') ? line.split('\t').slice(1) : [])),
  );
}

function pathsBelow(paths: readonly string[], isMeant: (folder: string) => boolean): Set<string> {
  const known = new Map<string, boolean>();
  const isBelow = (path: string): boolean => {
    const folder = posix.dirname(path);
    if (folder === '.') return false;
    const found = known.get(folder) ?? (isMeant(folder) || isBelow(folder));
    known.set(folder, found);
    return found;
  };
  return new Set(paths.filter(isBelow));
}
