import { delay, MINUTE, SECOND, SerialQueue } from '@holdfast/base';

import { type IndexChange, IndexCopy, indexIdentity } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-locks.ts';
import type { GitObjects } from '../adapters/git-objects.ts';
import { readHead, type Repository } from '../adapters/git-repository.ts';
import type { TreeEntry } from '../model/git.ts';

interface Guarded {
  readonly entry: TreeEntry | undefined;
  /** Entries that codex has replaced while it guarded the path. */
  readonly earlier: readonly (TreeEntry | undefined)[];
  /** In the time of `performance.now()`. */
  readonly until: number;
}

const GUARD_MS = 2 * SECOND;
/**
 * How long `isOwn` remembers an entry after its guard ends. This must last until the commit that follows `onGuarded`.
 */
const KNOWN_MS = MINUTE;
const EVERY_MS = 10;
const PATIENCE_MS = 500;

/**
 * For a short time after a commit, restores index entries that a git command has reverted. `git commit` reads the index
 * before it takes the lock. So a command that the user started just before we replaced the index may write the old
 * entries back. The user's next commit would then undo ours.
 */
export class IndexGuard {
  readonly #repository: Repository;
  readonly #objects: GitObjects;
  readonly #onGuarded: () => void;
  readonly #guarded = new Map<string, Guarded>();
  readonly #checks = new SerialQueue();
  /** While the index has this identity, nothing has to be restored. */
  #identity = '';
  #until = 0;
  #isWatching = false;
  #isClosed = false;

  /** Calls `onGuarded` at the end of each watch. */
  constructor(repository: Repository, objects: GitObjects, onGuarded: () => void) {
    this.#repository = repository;
    this.#objects = objects;
    this.#onGuarded = onGuarded;
  }

  /**
   * Guards entries that codex has just written. Call it before releasing the index lock, so that the entries are never
   * unguarded.
   */
  add(changes: readonly IndexChange[]): void {
    this.#identity = indexIdentity(this.#repository);
    const now = performance.now();
    for (const [path, { until }] of this.#guarded) if (until + KNOWN_MS <= now) this.#guarded.delete(path);
    this.#until = now + GUARD_MS;
    for (const { path, before, entry } of changes) {
      const earlier = [...(this.#guarded.get(path)?.earlier ?? []), before];
      this.#guarded.set(path, { entry, earlier, until: this.#until });
    }
    if (!this.#isWatching) void this.#watch();
  }

  /** Returns whether codex has written this index entry in the last minute. */
  isOwn({ path, entry }: IndexChange): boolean {
    const guarded = this.#guarded.get(path);
    return guarded !== undefined && isSame(guarded.entry, entry);
  }

  /** Restores reverted entries now. Only checks the index file if the index is unchanged. */
  check(): Promise<void> {
    return this.#checks.run(() => this.#check());
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    do {
      await delay(EVERY_MS, undefined, false);
      // The next check tries again.
      await this.check().catch(() => undefined);
    } while (!this.#isClosed && performance.now() < this.#until);
    this.#isWatching = false;
    if (!this.#isClosed) this.#onGuarded();
  }

  async #check(): Promise<void> {
    if (this.#isClosed || performance.now() >= this.#until || indexIdentity(this.#repository) === this.#identity)
      return;
    const index = new IndexCopy(this.#repository);
    try {
      // Checks before taking the lock, because the user's `git add` and `git commit` fail while the lock is held.
      if ((await this.#reverted(index)).length === 0) this.#identity = index.identity;
      else await this.#restore(index);
    } finally {
      index.discard();
    }
  }

  async #restore(index: IndexCopy): Promise<void> {
    const release = await takeIndexLock(this.#repository, PATIENCE_MS);
    if (release === undefined) return;
    try {
      index.take();
      const reverted = await this.#reverted(index);
      if (reverted.length > 0) {
        await index.update(reverted);
        // After a crash, recovery keeps this index: HEAD contains HEAD.
        index.replaceIndex('HEAD');
        index.keep('HEAD');
      }
      this.#identity = indexIdentity(this.#repository);
    } finally {
      release();
    }
  }

  /**
   * Returns entries that went back to a version that codex had replaced. Any other entry was staged by the user and
   * stays.
   */
  async #reverted(index: IndexCopy): Promise<readonly IndexChange[]> {
    const head = await readHead(this.#repository, this.#objects);
    if ('pausedBecause' in head) return [];
    const now = performance.now();
    const found: IndexChange[] = [];
    for (const { path, before: committed, entry } of (await index.stagedSince(head.tip)).values()) {
      const guarded = this.#guarded.get(path);
      if (guarded === undefined || guarded.until <= now || !isSame(guarded.entry, committed)) continue;
      if (guarded.earlier.some((one) => isSame(one, entry))) found.push({ path, before: entry, entry: committed });
    }
    return found;
  }
}

function isSame(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.oid === right?.oid && left?.mode === right?.mode;
}
