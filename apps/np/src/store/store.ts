import { statSync } from 'node:fs';
import { MEBIBYTE } from '@holdfast/base';
import { afterKey, type Entry, type Keyspace, openKeyspace, prefixSuccessor, sqliteEngine } from '@holdfast/keyspace';
import { schema } from './definitions.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  /** Create the database if it is missing. Default: true. */
  readonly create?: boolean;
  /** Called with each key whose value is unreadable and left out. Without a callback, such a read fails. */
  readonly onUnreadable?: ((key: string) => void) | undefined;
}

const migrations = {
  versionKey: 'meta/schema_version',
  steps: [{ version: 1, description: 'the layout of the design document', step: () => Promise.resolve(undefined) }],
} as const;

export async function openStore({ path, create = true, onUnreadable }: StoreOptions): Promise<Store> {
  const engine = await sqliteEngine({ path, create });
  try {
    return await openKeyspace({ engine, schema, migrations, onUnreadable });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

const WAL_BYTES_MAX: number = MEBIBYTE;

/**
 * Ends a command's use of the store without closing it, unless its write-ahead log is long.
 *
 * Closing the last connection checkpoints SQLite's write-ahead log, which takes 10 to 20 ms, a quarter of a command's
 * time. Every commit is already on disk in that log, so nothing is lost, but the next process must read the log.
 */
export async function leaveStore(store: Store, path: string): Promise<void> {
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes > WAL_BYTES_MAX) await store.close();
}

const PAGE_SIZE = 1_000;

/** Keys and values as stored, in key order. */
export async function* storedEntries(store: Store, prefix: string): AsyncGenerator<Entry, void, undefined> {
  const lt = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
  let gte = prefix;
  for (;;) {
    const entries = await store.engine.range({ gte, lt, limit: PAGE_SIZE, reverse: false });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE_SIZE) return;
    gte = afterKey(last[0]);
  }
}
