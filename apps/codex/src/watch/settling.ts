import { type DiskState, looksSame } from '../model/operation.ts';
import { ancestorsOf } from '../model/path.ts';

/** A path seen twice in the same state. `state` is undefined if it was missing both times. */
export interface Settled {
  readonly path: string;
  readonly state: DiskState | undefined;
}

interface Waiting {
  readonly since: number;
  /** Undefined until the path has been checked once. */
  seen: { readonly state: DiskState | undefined } | undefined;
}

/** A missing path may reappear elsewhere within this time. It then counts as moved. */
const GONE_MS = 400;
/** Maximum wait for a file that keeps changing. */
const PATIENCE_MS = 15_000;

/**
 * Paths that may have changed, until they are stable. A file counts as stable after two checks with the same size and
 * times, so that a half-written file is not indexed. The caller checks the disk.
 */
export class Settling {
  readonly #waiting = new Map<string, Waiting>();

  note(path: string, now: number): void {
    const known = this.#waiting.get(path);
    if (known === undefined) this.#waiting.set(path, { since: now, seen: undefined });
    else known.seen = undefined;
  }

  /** Like `note`, but does not restart the wait for a path that is already waiting. */
  noteNew(path: string, now: number): void {
    if (!this.#waiting.has(path)) this.note(path, now);
  }

  has(path: string): boolean {
    return this.#waiting.has(path);
  }

  forget(path: string): void {
    this.#waiting.delete(path);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Paths that were missing when they were last checked. */
  gone(): readonly string[] {
    return [...this.#waiting]
      .filter(([, { seen }]) => seen !== undefined && seen.state === undefined)
      .map(([path]) => path);
  }

  get size(): number {
    return this.#waiting.size;
  }

  paths(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Folders with waiting paths below them. */
  busyFolders(): ReadonlySet<string> {
    return new Set([...this.#waiting.keys()].flatMap(ancestorsOf));
  }

  /** Checks a path once. If the path has settled, returns it and stops waiting for it. */
  look(path: string, state: DiskState | undefined, now: number, isBusy = false): Settled | undefined {
    const known = this.#waiting.get(path);
    if (known === undefined) return undefined;
    const age = now - known.since;
    // A folder does not settle before its entries, because they may all belong to one moved folder.
    const isSame = !isBusy && known.seen !== undefined && sameState(known.seen.state, state);
    const isSettled = isSame && (state !== undefined || age >= GONE_MS);
    if (!isSettled && age < PATIENCE_MS) {
      known.seen = { state };
      return undefined;
    }
    this.#waiting.delete(path);
    return { path, state };
  }
}

/** Compares two states, but ignores a folder's times, which change with its entries. The entries settle separately. */
export function sameState(left: DiskState | undefined, right: DiskState | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.kind === 'folder' && right.kind === 'folder') return left.inode === right.inode;
  return looksSame(left, right);
}
