import { sameStored, type StoredValue } from '@holdfast/base';

import type { Database } from '../database.ts';

export interface JournalProblem {
  readonly key: string;
  readonly detail: string;
}

const PAGE = 1_000;

/**
 * Compares the journal with the data: revisions must have no gaps (except at a restore), and the last recorded value of
 * every key must be stored. A difference means that something bypassed the journal.
 */
export function findJournalProblems(database: Database): JournalProblem[] {
  const problems: JournalProblem[] = [];
  const lastValues = new Map<string, StoredValue | undefined>();
  let previous = Math.max(0, database.oldestRevision() - 1);
  for (;;) {
    const entries = database.changes(previous, PAGE);
    if (entries.length === 0) break;
    for (const entry of entries) {
      if (entry.revision !== previous + 1 && entry.kind !== 'schema') {
        problems.push({ key: '', detail: `revision ${entry.revision} follows ${previous}` });
      }
      previous = entry.revision;
      for (const { key, after } of entry.keys) lastValues.set(key, after);
    }
  }
  for (const [key, recorded] of lastValues) {
    const stored = database.get<{ value: StoredValue }>('SELECT value FROM keyspace WHERE key = ?', key)?.value;
    if (!sameStored(stored, recorded)) problems.push({ key, detail: 'was changed without the journal' });
  }
  return problems;
}
