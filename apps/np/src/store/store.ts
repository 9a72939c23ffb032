import { statSync } from 'node:fs';
import { isHoldfastError, MEBIBYTE } from '@holdfast/base';
import {
  afterKey,
  type EngineCommit as StoredCommit,
  type Entry,
  type Keyspace,
  openKeyspace,
  prefixSuccessor,
  type RecordDefinition,
  sqliteEngine,
} from '@holdfast/keyspace';
import { schema } from './definitions.ts';

export type { StoredCommit };
export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  /** Address of the PostgreSQL server that holds the plans instead of the file at `path`. */
  readonly address?: string | undefined;
  /** Create the database if it is missing. Default: true. */
  readonly create?: boolean;
  /**
   * Called with each key that a read leaves out because its value is unreadable. Without this callback, the read fails.
   */
  readonly onUnreadable?: ((key: string, error: unknown) => void) | undefined;
}

const migrations = {
  versionKey: 'meta/schema_version',
  steps: [{ version: 1, description: 'the layout of the design document', step: () => Promise.resolve(undefined) }],
} as const;

export async function openStore({ path, address, create = true, onUnreadable }: StoreOptions): Promise<Store> {
  const engine =
    address === undefined
      ? await sqliteEngine({ path, create })
      : await (await import('@holdfast/postgres')).postgresEngine({ address, space: 'np' });
  try {
    return await openKeyspace({ engine, schema, migrations, onUnreadable });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

const WAL_BYTES_MAX: number = MEBIBYTE;

/**
 * Lets a command exit without closing the store, unless the write-ahead log is long. Closing the last connection
 * checkpoints SQLite's write-ahead log, which takes 10 to 20 ms, a quarter of a command's time. Every commit is already
 * on disk in that log, so nothing is lost, but the next process must read the log.
 */
export async function leaveStore(store: Store, { path, address }: StoreOptions): Promise<void> {
  if (address !== undefined) return store.close();
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes > WAL_BYTES_MAX) await store.close();
}

const PAGE_SIZE = 1_000;

/** Yields keys and values as stored, in key order. */
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

const COMMITS_AT_ONCE = 128;

/** Yields all commits in the journal, newest first, except restores and migrations. */
export async function* commitsBackwards({ engine }: Store): AsyncGenerator<StoredCommit, void, undefined> {
  let end = await engine.revision();
  for (let size = COMMITS_AT_ONCE; end > 0 && size >= 1;) {
    const since = Math.max(end - size, 0);
    let commits: readonly StoredCommit[];
    try {
      commits = await engine.changes(since, end - since);
    } catch (error) {
      if (!isHoldfastError(error, 'JOURNAL_TRIMMED')) throw error;
      size /= 2;
      continue;
    }
    yield* commits.toReversed().filter(({ note }) => note === undefined);
    end = since;
  }
}

interface RecordChange<Value> {
  readonly key: Readonly<Record<string, unknown>>;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Returns the changes of one kind of record in one session. */
export function recordChanges<Value>(
  { changes }: StoredCommit,
  { template, codec }: Pick<RecordDefinition<string, Value>, 'template' | 'codec'>,
  sid: string,
): readonly RecordChange<Value>[] {
  return changes.flatMap(({ key: stored, before, after }) => {
    const key = template.decode(stored);
    if (key?.['sid'] !== sid) return [];
    const decoded = (value: typeof before) => (value === undefined ? undefined : codec.decode(value, stored));
    return [{ key, before: decoded(before), after: decoded(after) }];
  });
}
