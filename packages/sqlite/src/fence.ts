import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { storeErrors } from './errors.ts';

/**
 * The fence of a database that moves to another store: commits fail, reads work. Every commit inserts a row into the
 * journal, so one trigger on that table stops the writers of all processes, even those that opened the file long
 * before. A database without a fence pays nothing for it.
 */
export interface Fence {
  /**
   * `moving`: this file is still authoritative, and the fence can be removed. `moved`: the other store is
   * authoritative.
   */
  readonly state: 'moving' | 'moved';
  /** Identifies one move attempt. */
  readonly move: string;
  /** The other store, without a password. */
  readonly to: string;
}

const MESSAGE = /'STORE_MOVED (moving|moved) ([\w-]+) ((?:[^']|'')*)'/;

export function readFence(connection: Connection): Fence | undefined {
  const trigger = connection.get<{ sql: string }>(
    `SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'holdfast_fence'`,
  );
  const match = trigger === undefined ? null : MESSAGE.exec(trigger.sql);
  if (match === null) return undefined;
  const [, state, move, to] = match as unknown as [string, Fence['state'], string, string];
  return { state, move, to: to.replaceAll("''", "'") };
}

/**
 * Replaces the fence with `next` if the current fence belongs to the move `expected`. Throws MOVE_REPLACED if another
 * process has changed the fence.
 */
export async function changeFence(
  database: Database,
  expected: string | undefined,
  next: Fence | undefined,
): Promise<void> {
  await database.writeDerived(({ connection }) => {
    const current = readFence(connection);
    if (current?.move !== expected || current?.state === 'moved') {
      throw storeErrors.MOVE_REPLACED(`${database.path}: another process moves this database`);
    }
    connection.exec('DROP TRIGGER IF EXISTS holdfast_fence');
    if (next === undefined) return;
    const message = `STORE_MOVED ${next.state} ${next.move} ${next.to}`.replaceAll("'", "''");
    connection.exec(
      `CREATE TRIGGER holdfast_fence BEFORE INSERT ON holdfast_journal BEGIN SELECT RAISE(ABORT, '${message}'); END`,
    );
  });
}
