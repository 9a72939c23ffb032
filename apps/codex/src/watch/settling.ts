import type { DiskState } from '../model/intent.ts';

/** Something that has been seen twice in the same state, or undefined for twice nothing. */
export interface Settled {
  readonly path: string;
  readonly state: DiskState | undefined;
}

interface Waiting {
  readonly since: number;
  /** Undefined until it was looked at once. */
  seen: { readonly state: DiskState | undefined } | undefined;
}

/** Something that is gone may appear elsewhere in a moment: then it was moved. */
const GONE_MS = 400;
/** A file that is written without end is not waited for any longer than this. */
const PATIENCE_MS = 15_000;

/**
 * Paths that may have changed, until they hold still: a file is taken only after two looks at it found the same size and
 * times, so that half of what a program is writing is not taken for all of it. The disk is looked at by the caller.
 */
export class Settling {
  readonly #waiting = new Map<string, Waiting>();

  note(path: string, now: number): void {
    const known = this.#waiting.get(path);
    if (known === undefined) this.#waiting.set(path, { since: now, seen: undefined });
    else known.seen = undefined;
  }

  /** Like `note`, but leaves alone what is waited for already. */
  noteNew(path: string, now: number): void {
    if (!this.#waiting.has(path)) this.note(path, now);
  }

  has(path: string): boolean {
    return this.#waiting.has(path);
  }

  /** It is taken care of in another way. */
  forget(path: string): void {
    this.#waiting.delete(path);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Paths at which there was nothing when they were looked at last. */
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

  /** Folders in which something is waited for. */
  busyFolders(): ReadonlySet<string> {
    const folders = new Set<string>();
    for (const path of this.#waiting.keys()) {
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const folder = path.slice(0, end);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return folders;
  }

  /** One look at a path. Returns it when it has settled; then it is no longer waited for. */
  look(path: string, state: DiskState | undefined, now: number, isBusy = false): Settled | undefined {
    const known = this.#waiting.get(path);
    if (known === undefined) return undefined;
    const age = now - known.since;
    // A folder waits for what is in it: together they may turn out to be a folder that was moved.
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

function sameState(left: DiskState | undefined, right: DiskState | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  // The times of a folder change with what is in it, which is waited for by itself.
  if (left.kind === 'folder' && right.kind === 'folder') return left.inode === right.inode;
  return (
    left.kind === right.kind &&
    left.size === right.size &&
    left.mtime_ns === right.mtime_ns &&
    left.ctime_ns === right.ctime_ns &&
    left.inode === right.inode
  );
}
