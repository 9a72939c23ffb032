import {
  type Connection,
  type Database,
  type DatabaseOptions,
  encodeKeyChanges,
  type JournalEntry,
  openDatabase,
  readKey,
  readRange,
  repairFromJournal,
  type WriteTransaction,
} from '@holdfast/sqlite';

import type {
  CommitOutcome,
  CommitRequest,
  Engine,
  EngineChange,
  EngineCommit,
  RangeRequest,
} from '../storage-engine.ts';
import { resolveCommit } from '../resolve-commit.ts';

/** A keyspace on SQLite: durable, for several processes on one machine. */
export async function sqliteEngine(options: Omit<DatabaseOptions, 'kind' | 'migrations'>): Promise<Engine> {
  return engineOn(await openDatabase({ ...options, kind: 'keyspace' }));
}

/** Uses an open database, which the caller closes. */
export function engineOn(database: Database): Engine {
  return {
    get: (key) => readKey(database.reader, key),
    getMany: (keys) => keys.map((key) => readKey(database.reader, key)),
    range: (range) => readRange(database.reader, range),
    snapshot() {
      const snapshot = database.snapshot();
      const { revision, connection } = snapshot;
      return {
        revision: () => revision,
        get: (key) => readKey(connection, key),
        getMany: (keys) => keys.map((key) => readKey(connection, key)),
        range: (range) => readRange(connection, range),
        release: () => snapshot.release(),
      };
    },
    async commit(request) {
      const { value, revision } = await database.write((transaction) => applyRequest(transaction, request));
      return value ? { conflict: false, revision } : conflict;
    },
    turn: (arrivedAt) => database.turn(arrivedAt),
    revision: () => database.revision(),
    changes: (since, limit) => database.changes(since, limit).map(toCommit),
    restoreJournalled: async () =>
      (await repairFromJournal(database))
        .filter(({ kind, repaired }) => kind === 'journal_differs' && repaired)
        .map(({ key }) => key),
    onChange: (listener) => database.onChange(listener),
    close: (options) => database.close(options),
  };
}

const conflict: CommitOutcome = { conflict: true };

/** If there is a conflict, returns false and writes nothing. */
function applyRequest(transaction: WriteTransaction, request: CommitRequest): boolean {
  const { connection } = transaction;
  const state = {
    get: (key: string) => readKey(connection, key),
    range: (range: RangeRequest) => readRange(connection, range),
  };
  const changes = resolveCommit(request, state, request.base === transaction.revision);
  if (changes === undefined) return false;
  for (const change of changes) applyChange(connection, change);
  if (changes.length > 0) transaction.journal(encodeKeyChanges(changes));
  if (request.note !== undefined) transaction.note(request.note);
  return true;
}

function applyChange(connection: Connection, { key, before, after }: EngineChange): void {
  if (after === undefined) connection.prepare('DELETE FROM keyspace WHERE key = ?').run(key);
  else if (before === undefined) connection.prepare('INSERT INTO keyspace (key, value) VALUES (?, ?)').run(key, after);
  else connection.prepare('UPDATE keyspace SET value = ? WHERE key = ?').run(after, key);
}

function toCommit(entry: JournalEntry): EngineCommit {
  return {
    revision: entry.revision,
    at: entry.at,
    note: entry.note,
    // A damaged entry no longer shows which keys changed, so readers must read everything again.
    get reset() {
      return entry.kind === 'schema' || entry.isDamaged;
    },
    get changes() {
      return entry.isDamaged ? [] : entry.keys;
    },
  };
}
