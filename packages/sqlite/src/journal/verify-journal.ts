import { sameStored, type StoredValue } from '@holdfast/base';

import type { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import { oldestRevision, readEntries } from './journal.ts';
import { encodeKeyChanges, type KeyChange } from './key-changes.ts';

export interface JournalProblem {
  readonly key: string;
  readonly detail: string;
  readonly repaired: boolean;
}

const PAGE = 1_000;

/**
 * Compares the journal with the data: revisions must have no gaps (except at a restore), and the last recorded value of
 * every key must be stored. A difference means that something bypassed the journal.
 */
export function findJournalProblems(database: Database): JournalProblem[] {
  const { problems, differences } = compareJournal(database.reader);
  return [...problems, ...differences.map(({ key }) => difference(key, false))];
}

/** Like `findJournalProblems`, and writes the last recorded values back, as one commit that can be undone. */
export async function repairFromJournal(database: Database): Promise<readonly JournalProblem[]> {
  const { problems, differences } = compareJournal(database.reader);
  if (differences.length === 0) return problems;
  const { value: restored } = await database.write((transaction) => {
    const changes = restoreJournalled(transaction.connection);
    transaction.note('restored values that differed from the journal');
    if (changes.length > 0) transaction.journal(encodeKeyChanges(changes));
    return changes;
  });
  return [...problems, ...restored.map(({ key }) => difference(key, true))];
}

/** Writes the last recorded values back. Call inside a write transaction, and journal the returned changes. */
export function restoreJournalled(connection: Connection): readonly KeyChange[] {
  const { differences } = compareJournal(connection);
  for (const change of differences) writeKey(connection, change);
  return differences;
}

export function writeKey(connection: Connection, { key, after }: KeyChange): void {
  if (after === undefined) connection.run('DELETE FROM keyspace WHERE key = ?', key);
  else connection.run('INSERT OR REPLACE INTO keyspace (key, value) VALUES (?, ?)', key, after);
}

function difference(key: string, repaired: boolean): JournalProblem {
  return { key, detail: 'changed without a journal entry', repaired };
}

/** Returns problems, and the changes that turn each stored value into the recorded one. */
function compareJournal(connection: Connection) {
  const problems: JournalProblem[] = [];
  const lastValues = new Map<string, StoredValue | undefined>();
  let previous = Math.max(0, oldestRevision(connection) - 1);
  for (;;) {
    const entries = readEntries(connection, previous, PAGE);
    if (entries.length === 0) break;
    for (const entry of entries) {
      const { revision } = entry;
      const problem = (detail: string): number => problems.push({ key: '', detail, repaired: false });
      if (revision !== previous + 1 && entry.kind !== 'schema') problem(`revision ${revision} follows ${previous}`);
      previous = revision;
      if (entry.isDamaged) {
        // The unreadable entry may have changed any key, so older entries no longer tell what must be stored.
        problem(`the journal entry of revision ${revision} cannot be read`);
        lastValues.clear();
      } else for (const { key, after } of entry.keys) lastValues.set(key, after);
    }
  }
  const differences: KeyChange[] = [];
  for (const [key, after] of lastValues) {
    const before = connection.get<{ value: StoredValue }>('SELECT value FROM keyspace WHERE key = ?', key)?.value;
    if (!sameStored(before, after)) differences.push({ key, before, after });
  }
  return { problems, differences };
}
