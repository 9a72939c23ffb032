import type { Engine, Entry } from '@holdfast/keyspace';
import type { Fence, RawEntry } from '@holdfast/sqlite';

/** What a move needs from the store that it leaves. The fence stops the commits of all processes; reads still work. */
export interface MoveSource {
  readonly place: string;
  readonly engine: Engine;
  fence(): Promise<Fence | undefined>;
  /**
   * Replaces the fence with `next` if the current fence belongs to the move `expected`. Throws MOVE_REPLACED if another
   * process has changed the fence.
   */
  changeFence(expected: string | undefined, next: Fence | undefined): Promise<void>;
  /** Returns journal entries after `since` as they are stored, oldest first. */
  journal(since: number, limit: number): Promise<readonly RawEntry[]>;
  count(): Promise<number>;
  close(): Promise<void>;
}

/** What a move needs from the store that it fills. Until `open`, no other process can commit there. */
export interface MoveTarget {
  readonly place: string;
  /**
   * Starts with an empty store, even after an interrupted move. Throws MOVE_TARGET_IN_USE if the store has other data.
   */
  begin(move: string): Promise<void>;
  /** Reads what was written so far. */
  readonly engine: Engine;
  journal(since: number, limit: number): Promise<readonly RawEntry[]>;
  /** Writes entries together with journal entries; an undefined value deletes the entry. */
  write(
    entries: readonly (Entry | readonly [key: string, value: undefined])[],
    journal: readonly RawEntry[],
  ): Promise<void>;
  /** Makes everything durable. After this, only `open` may be called. */
  seal(): Promise<void>;
  /**
   * Lets other processes commit. Returns the path at which the previous data is kept. Idempotent, because it may have
   * been interrupted.
   */
  open(move: string): Promise<string | undefined>;
  /** Removes everything that was written. */
  discard(): Promise<void>;
  close(): Promise<void>;
}
