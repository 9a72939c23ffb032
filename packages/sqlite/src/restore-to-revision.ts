import { sameStored, type StoredValue } from '@holdfast/base';

import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { storeErrors } from './errors.ts';
import type { Committed, WriteTransaction } from './group-commit.ts';
import { readKey, writeKey } from './keyspace-table.ts';
import { currentRevision, type JournalEntry, oldestRevision, readEntriesBackwards } from './journal/journal.ts';
import { encodeKeyChanges } from './journal/key-changes.ts';
import { undoRows } from './journal/undo-rows.ts';
import { changedWithoutJournal, restoreJournalledKeys } from './journal/verify-journal.ts';

/**
 * Point-in-time restore as one more commit. The journal has the state of every key and row before each commit, so
 * restoring revision R undoes everything after R in one transaction. Running programs keep their connections, watchers
 * see an ordinary change, revisions continue, and the restore can itself be undone.
 */

const PAGE = 500;

export function restoreToRevision(database: Database, revision: number): Promise<Committed<number>> {
  const restore = (transaction: WriteTransaction): number => {
    const { connection } = transaction;
    checkRestorePoint(connection, revision);
    transaction.note(`restored to revision ${revision}`);
    return database.kind === 'keyspace'
      ? undoKeys(transaction, revision)
      : undoRows(connection, rowChangesAfter(connection, revision));
  };
  return database.kind === 'keyspace' ? database.write(restore) : database.writeUnguarded(restore);
}

function checkRestorePoint(connection: Connection, revision: number): void {
  const newest = currentRevision(connection);
  // Undoing the oldest entry restores the revision before it.
  const oldest = Math.max(0, oldestRevision(connection) - 1);
  if (Number.isInteger(revision) && revision >= oldest && revision <= newest) return;
  throw storeErrors.RESTORE_POINT_UNKNOWN(
    `${connection.path} can be restored to revisions ${oldest} to ${newest}, not to ${revision}`,
  );
}

/** Starts with rows that changed without a journal entry: undoing journal entries would not restore them. */
function* rowChangesAfter(connection: Connection, revision: number): Generator<Pick<JournalEntry, 'sections'>> {
  yield { sections: [changedWithoutJournal(connection).map(({ change }) => change)] };
  yield* entriesAfter(connection, revision);
}

/** Returns entries newest first, and throws JOURNAL_DAMAGED if one is missing. */
function* entriesAfter(connection: Connection, revision: number): Generator<JournalEntry> {
  let before = currentRevision(connection) + 1;
  for (;;) {
    const page = readEntriesBackwards(connection, revision, before, PAGE);
    for (const entry of page) {
      if (entry.kind === 'schema') {
        throw storeErrors.RESTORE_CROSSES_SCHEMA(
          `Revision ${entry.revision} (${entry.note ?? 'schema change'}) was made after revision ${revision} and cannot be undone`,
        );
      }
      if (entry.revision !== before - 1) throw missingEntry(before - 1);
      before = entry.revision;
      yield entry;
    }
    if (page.length > 0) continue;
    if (before !== revision + 1) throw missingEntry(before - 1);
    return;
  }
}

function missingEntry(revision: number): Error {
  return storeErrors.JOURNAL_DAMAGED(`The journal entry of revision ${revision} is missing`);
}

/** Returns the number of changed keys. */
function undoKeys(transaction: WriteTransaction, revision: number): number {
  const { connection } = transaction;
  // Starts with values that changed without a journal entry: undoing journal entries would not restore them.
  const changes = new Map(restoreJournalledKeys(connection).map((change) => [change.key, change]));
  const valuesThen = new Map<string, StoredValue | undefined>();
  for (const entry of entriesAfter(connection, revision)) {
    for (const { key, before } of entry.keys) valuesThen.set(key, before);
  }
  for (const [key, after] of valuesThen) {
    const before = readKey(connection, key);
    if (sameStored(before, after)) continue;
    const change = { key, before: changes.get(key)?.before ?? before, after };
    changes.set(key, change);
    writeKey(connection, key, after);
  }
  if (changes.size > 0) transaction.journal(encodeKeyChanges([...changes.values()]));
  return changes.size;
}
