import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { nulTerminated, runGit } from '@holdfast/git';

import type { TreeEntry } from '../model/git.ts';
import type { Repository } from './git-repository.ts';

/** The new index entry for a path in the repository. `entry` is undefined to remove the path. */
export interface IndexChange {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly entry: TreeEntry | undefined;
}

/** Reads the output of `git diff-tree` and `git diff-index` with `--raw -z`. */
export function parseRawDiff(output: Buffer): IndexChange[] {
  const fields = nulTerminated(output);
  const changes: IndexChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = '', mode = '', oidBefore = '', oid = '', status] = (fields[at] ?? '').slice(1).split(' ');
    const before = isNone(modeBefore) ? undefined : { mode: modeBefore, oid: oidBefore };
    // A path in conflict has no entry, but is not absent either.
    const entry = isNone(mode) && status !== 'U' ? undefined : { mode, oid };
    changes.push({ path: fields[at + 1] ?? '', before, entry });
  }
  return changes;
}

const isNone = (mode: string): boolean => /^0+$/.test(mode);

const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;

/** Returns the id of the empty tree, the base for a repository without commits. */
export function emptyTree({ objectFormat }: Repository): string {
  return EMPTY_TREE[objectFormat];
}

/** File name prefix of the old index, see `replaceIndex`. */
export const KEPT = 'codex-index-before.';

export function indexIdentity({ gitDir }: Repository): string {
  return identityOf(join(gitDir, 'index'));
}

let copies = 0;

/**
 * A copy of the user's index. Changes are prepared in it without holding git's index lock. It replaces the index only
 * under the lock, and only if the index has not changed since it was copied.
 */
export class IndexCopy {
  readonly path: string;
  readonly #repository: Repository;
  readonly #index: string;
  #copied = '';

  constructor(repository: Repository) {
    this.#repository = repository;
    this.#index = join(repository.gitDir, 'index');
    copies += 1;
    this.path = join(repository.gitDir, `codex-index.${process.pid}.${copies}`);
    this.take();
  }

  take(): void {
    rmSync(this.path, { force: true });
    this.#copied = identityOf(this.#index);
    if (this.#copied !== '') copyFileSync(this.#index, this.path);
  }

  get identity(): string {
    return this.#copied;
  }

  get isCurrent(): boolean {
    return identityOf(this.#index) === this.#copied;
  }

  /** Returns the index entries that differ from a commit: staged or in conflict. Paths are relative to the repository. */
  async stagedSince(commit: string | undefined): Promise<ReadonlyMap<string, IndexChange>> {
    const base = commit ?? emptyTree(this.#repository);
    const args = ['diff-index', '--cached', '--raw', '--no-renames', '-z', base];
    const { stdout } = await runGit(args, { folder: this.#repository.root, indexFile: this.path });
    return new Map(parseRawDiff(stdout).map((change) => [change.path, change]));
  }

  /** Writes changes into the copy. Removals come first, so that a folder can replace a file. */
  async update(changes: readonly IndexChange[]): Promise<void> {
    if (changes.length === 0) return;
    const none = '0'.repeat(this.#repository.oidBytes * 2);
    const removals = changes.filter(({ entry }) => entry === undefined);
    const additions = changes.filter(({ entry }) => entry !== undefined);
    const input = [...removals, ...additions]
      .map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.oid ?? none}\t${path}\0`)
      .join('');
    const args = ['update-index', '--add', '-z', '--index-info'];
    await runGit(args, { folder: this.#repository.root, indexFile: this.path, input });
  }

  /**
   * Call only while holding the index lock. Until `keep` or `putBack`, the old index stays in a file named after
   * `commit`, so that recovery after a crash can decide which index to use.
   */
  replaceIndex(commit: string): void {
    if (!existsSync(this.path)) return;
    rmSync(this.#kept(commit), { force: true });
    if (existsSync(this.#index)) linkSync(this.#index, this.#kept(commit));
    renameSync(this.path, this.#index);
  }

  keep(commit: string): void {
    rmSync(this.#kept(commit), { force: true });
  }

  putBack(commit: string): void {
    if (existsSync(this.#kept(commit))) renameSync(this.#kept(commit), this.#index);
    else rmSync(this.#index, { force: true });
  }

  #kept(commit: string): string {
    return join(this.#repository.gitDir, KEPT + commit);
  }

  discard(): void {
    rmSync(this.path, { force: true });
    rmSync(`${this.path}.lock`, { force: true });
  }
}

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
