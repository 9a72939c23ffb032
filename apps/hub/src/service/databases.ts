import { visiblePart } from '@holdfast/accounts';
import { readPage, toTimestamp } from '@holdfast/base';
import { afterKey, keyspaceErrors, prefixSuccessor } from '@holdfast/keyspace';
import type { LongReaders } from '@holdfast/sqlite';

import type { Databases, Store } from '../adapters/databases.ts';
import type { DatabaseName } from '../model/database-names.ts';
import { shownCommit, shownStored } from './shown-change.ts';

export interface DatabaseState {
  readonly name: DatabaseName;
  readonly kind: 'keyspace' | 'tables' | null;
  readonly revision: number | null;
  /** Earliest revision that the journal can restore. */
  readonly oldest_restorable: number | null;
  readonly last_commit_at: string | null;
  readonly bytes: number;
  readonly log_bytes: number;
  /** Read transactions that prevent the reuse of the write-ahead log, so that it grows. */
  readonly long_readers: {
    readonly pinned_bytes: number;
    readonly oldest_before: string | null;
    readonly processes: LongReaders['processes'];
  } | null;
  /** Reason why the database cannot be used now. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** A list that is never split into pages. */
interface WholePage<T> {
  readonly data: readonly T[];
  readonly next_cursor: null;
}

export async function describeDatabases(databases: Databases): Promise<WholePage<DatabaseState>> {
  return { data: await Promise.all(databases.names().map((name) => describe(databases, name))), next_cursor: null };
}

async function describe(databases: Databases, name: DatabaseName): Promise<DatabaseState> {
  let sizes = { bytes: 0, log_bytes: 0 };
  try {
    const database = await databases.get(name);
    const { bytes, logBytes } = await database.sizes();
    sizes = { bytes, log_bytes: logBytes };
    const revision = await database.revision();
    const last = revision === 0 ? undefined : (await database.changes(revision - 1, 1))[0];
    return {
      name,
      kind: database.kind,
      revision,
      oldest_restorable: Math.max(0, (await database.oldestRevision()) - 1),
      last_commit_at: last === undefined ? null : toTimestamp(last.at),
      ...sizes,
      long_readers: longReaders(database),
      problem: null,
    };
  } catch (error) {
    const { code = 'INTERNAL', message } = error as Error & { readonly code?: string };
    const unknown = { kind: null, revision: null, oldest_restorable: null, last_commit_at: null, long_readers: null };
    return { name, ...unknown, ...sizes, problem: { code, message } };
  }
}

function longReaders(database: Store): DatabaseState['long_readers'] {
  const found = database.longReaders();
  if (found === undefined) return null;
  const { pinnedBytes, oldestBefore, processes } = found;
  return {
    pinned_bytes: pinnedBytes,
    oldest_before: oldestBefore === undefined ? null : toTimestamp(oldestBefore),
    processes,
  };
}

interface KeysRequest {
  readonly database: DatabaseName;
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

export async function listKeys(databases: Databases, { database: name, prefix, after, limit }: KeysRequest) {
  const database = await databases.get(name);
  const { engine } = database;
  if (engine === undefined) throw keyspaceErrors.NOT_A_KEYSPACE(`${name} holds tables, not keys`);
  const lt = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
  const gte = after === undefined ? prefix : afterKey(after);
  const { data, next_cursor } = await readPage(
    limit,
    async (count) => engine.range({ gte, lt, limit: count, reverse: false }),
    ([key]) => key,
  );
  const shown = data.filter(([key]) => visiblePart(key) === key);
  return {
    data: shown.map(([key, stored]) => ({ key, value: shownStored(key, stored) ?? '', encoding: encodingOf(stored) })),
    next_cursor: next_cursor === null || visiblePart(next_cursor) === next_cursor ? next_cursor : lastKey(next_cursor),
  };
}

/**
 * Returns a cursor after all keys that share the visible part of this key, because the hidden part must not leave the
 * server.
 */
function lastKey(hidden: string): string {
  return `${visiblePart(hidden)}\u{10ffff}`;
}

function encodingOf(stored: string | Uint8Array): 'json' | 'text' | 'hex' {
  if (typeof stored !== 'string') return 'hex';
  return /^[[{]/.test(stored) ? 'json' : 'text';
}

interface CommitsRequest {
  readonly database: DatabaseName;
  readonly before?: number | undefined;
  readonly limit: number;
}

export async function listCommits(databases: Databases, { database: name, before, limit }: CommitsRequest) {
  const database = await databases.get(name);
  const last = Math.min(before === undefined ? Number.MAX_SAFE_INTEGER : before - 1, await database.revision());
  const oldest = Math.max((await database.oldestRevision()) - 1, 0);
  const since = Math.max(last - limit, oldest);
  const entries = last <= since ? [] : await database.changes(since, last - since);
  return {
    data: entries.toReversed().map((entry) => shownCommit(name, entry)),
    next_cursor: since > oldest ? String(since + 1) : null,
  };
}

interface RestoreRequest {
  readonly database: DatabaseName;
  readonly revision: number;
}

export async function restoreDatabase(databases: Databases, { database: name, revision: target }: RestoreRequest) {
  const database = await databases.get(name);
  const before = await database.revision();
  const { changed, revision } = await database.restoreTo(target);
  return { revision, changed, undo_with: before };
}
