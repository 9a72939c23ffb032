import { sameStored, type StoredValue } from '@holdfast/base';

import type { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import { readKey, writeKey } from '../keyspace-table.ts';
import { oldestRevision, readEntries } from './journal.ts';
import { JournalledRows, type RowDifference } from './journalled-rows.ts';
import { encodeKeyChanges, type KeyChange } from './key-changes.ts';
import { undoRows } from './undo-rows.ts';

export interface JournalProblem {
  /** `journal_differs`: a value changed without the journal. `journal_damaged`: an entry is unreadable or missing. */
  readonly kind: 'journal_differs' | 'journal_damaged';
  /** A key, or a table with a primary key; empty if the problem is in the journal itself. */
  readonly key: string;
  readonly detail: string;
  readonly repaired: boolean;
}

const PAGE = 1_000;

/**
 * Compares the journal with the data. Revisions must have no gaps (except at a restore), and the stored value of every
 * key and row must equal its last recorded value. A difference means that something bypassed the journal.
 */
export function findJournalProblems(database: Database): JournalProblem[] {
  const { damaged, keys, rows } = compareJournal(database.reader);
  return [...damaged.map((entry) => damage(entry, false)), ...[...keys, ...rows].map(({ key }) => differs(key, false))];
}

/**
 * Like `findJournalProblems`, but also repairs. Writes the last recorded values back, as one commit that can be undone.
 * Sets damaged entries aside: they stay in the journal with kind `damaged`, and later checks do not report them again.
 */
export async function repairFromJournal(database: Database): Promise<readonly JournalProblem[]> {
  const { damaged, keys, rows } = compareJournal(database.reader);
  if (damaged.length > 0) {
    await database.writeDerived(({ connection }) => {
      for (const entry of damaged) setAside(connection, entry);
    });
  }
  const note = 'restored values that differed from the journal';
  const problems = damaged.map((entry) => damage(entry, true));
  if (keys.length > 0) {
    const { value: restored } = await database.write((transaction) => {
      const changes = restoreJournalledKeys(transaction.connection);
      transaction.note(note);
      if (changes.length > 0) transaction.journal(encodeKeyChanges(changes));
      return changes;
    });
    problems.push(...restored.map(({ key }) => differs(key, true)));
  }
  if (rows.length > 0) {
    const { value: restored } = await database.writeUnguarded((transaction) => {
      const differences = changedWithoutJournal(transaction.connection);
      transaction.note(note);
      undoRows(transaction.connection, [{ sections: [differences.map(({ change }) => change)] }]);
      return differences;
    });
    problems.push(...restored.map(({ key }) => differs(key, true)));
  }
  return problems;
}

/** Writes the last recorded values back. Call inside a write transaction, and journal the returned changes. */
export function restoreJournalledKeys(connection: Connection): readonly KeyChange[] {
  const { keys } = compareJournal(connection);
  for (const { key, after } of keys) writeKey(connection, key, after);
  return keys;
}

/** Returns the rows whose last change is not in the journal. */
export function changedWithoutJournal(connection: Connection): readonly RowDifference[] {
  return compareJournal(connection).rows;
}

/** An entry that cannot be read, or the last of several missing entries. */
interface DamagedEntry {
  readonly revision: number;
  readonly at: number;
  /** First missing revision; undefined for an unreadable entry. */
  readonly missingFrom?: number;
}

function damage(entry: DamagedEntry, repaired: boolean): JournalProblem {
  const { revision, missingFrom } = entry;
  const detail =
    missingFrom === undefined
      ? `the journal entry of revision ${revision} cannot be read${repaired ? '; set aside' : ''}`
      : missingText(revision, missingFrom);
  return { kind: 'journal_damaged', key: '', detail, repaired };
}

function missingText(revision: number, missingFrom: number): string {
  return missingFrom === revision
    ? `the journal entry of revision ${revision} is missing`
    : `the journal entries of revisions ${missingFrom} to ${revision} are missing`;
}

function setAside(connection: Connection, { revision, at, missingFrom }: DamagedEntry): void {
  if (missingFrom === undefined) {
    connection.run(`UPDATE holdfast_journal SET kind = 'damaged' WHERE revision = ?`, revision);
    return;
  }
  connection.run(
    `INSERT OR IGNORE INTO holdfast_journal (revision, at, kind, changes, note) VALUES (?, ?, 'damaged', '', ?)`,
    revision,
    at,
    missingText(revision, missingFrom),
  );
}

function differs(key: string, repaired: boolean): JournalProblem {
  return { kind: 'journal_differs', key, detail: 'changed without a journal entry', repaired };
}

interface Comparison {
  readonly damaged: readonly DamagedEntry[];
  /** The changes that turn each stored value into the recorded one. */
  readonly keys: readonly KeyChange[];
  readonly rows: readonly RowDifference[];
}

function compareJournal(connection: Connection): Comparison {
  const damaged: DamagedEntry[] = [];
  const lastValues = new Map<string, StoredValue | undefined>();
  const lastRows = new JournalledRows();
  // A lost entry may have changed any key. So the values recorded in older entries no longer count.
  const forget = (): void => {
    lastValues.clear();
    lastRows.clear();
  };
  let previous = Math.max(0, oldestRevision(connection) - 1);
  for (;;) {
    const entries = readEntries(connection, previous, PAGE, true);
    if (entries.length === 0) break;
    for (const entry of entries) {
      const { revision, kind, at, isDamaged } = entry;
      const isSetAside = kind === 'damaged';
      const isGap = revision !== previous + 1 && (kind !== 'schema' || isDamaged) && !isSetAside;
      if (isGap) damaged.push({ revision: revision - 1, at, missingFrom: previous + 1 });
      if (isDamaged && !isSetAside) damaged.push({ revision, at });
      if (isGap || isDamaged) forget();
      // A migration changes rows without recording them.
      if (kind === 'schema') lastRows.clear();
      previous = revision;
      if (isDamaged) continue;
      for (const { key, after } of entry.keys) lastValues.set(key, after);
      for (const row of entry.rows) lastRows.add(row);
    }
  }
  const keys: KeyChange[] = [];
  for (const [key, after] of lastValues) {
    const before = readKey(connection, key);
    if (!sameStored(before, after)) keys.push({ key, before, after });
  }
  return { damaged, keys, rows: lastRows.differences(connection) };
}
