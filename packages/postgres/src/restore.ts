import { MEBIBYTE, type StoredValue } from '@holdfast/base';
import type { CommitRequest } from '@holdfast/keyspace';
import { storeErrors } from '@holdfast/sqlite';

import type { PostgresEngine } from './engine.ts';

const PAGE = 500;
const KEYS_MAX = 10_000;
const BYTES_MAX: number = 8 * MEBIBYTE;

/**
 * Restores an earlier revision, like `restoreToRevision` on SQLite. Reads most of the journal first. Then takes the
 * lock, reads what was committed in the meantime, and commits. So the restore ends even if other processes never stop
 * committing. A large restore has several entries in the journal, but becomes visible all at once.
 */
export async function restoreKeys(
  engine: PostgresEngine,
  revision: number,
): Promise<{ readonly changed: number; readonly revision: number }> {
  const values = new Map<string, StoredValue | undefined>();
  const newest = await engine.revision();
  await checkRestorePoint(engine, revision, newest);
  await addOldValues(engine, values, revision, newest);
  const outcome = await engine.commitLocked(async (head) => {
    await addOldValues(engine, values, newest, head);
    return requestsFor(values, `restored to revision ${revision}`);
  });
  if (outcome.conflict) throw new Error('A commit without reads cannot conflict');
  return { changed: values.size, revision: outcome.revision };
}

async function checkRestorePoint(engine: PostgresEngine, revision: number, newest: number): Promise<void> {
  const oldest = Math.max(0, (await engine.oldestRevision()) - 1);
  if (Number.isInteger(revision) && revision >= oldest && revision <= newest) return;
  throw storeErrors.RESTORE_POINT_UNKNOWN(
    `${engine.place} can be restored to revisions ${oldest} to ${newest}, not to ${revision}`,
  );
}

/** Adds the value before `since` of every key that changed between `since` and `head` and is not in `values` yet. */
async function addOldValues(
  engine: PostgresEngine,
  values: Map<string, StoredValue | undefined>,
  since: number,
  head: number,
): Promise<void> {
  for (let read = since; read < head;) {
    const commits = await engine.changes(read, Math.min(PAGE, head - read));
    for (const { revision: at, reset, changes } of commits) {
      read = at;
      if (reset) throw storeErrors.JOURNAL_DAMAGED(`The changes of revision ${at} are not known`);
      for (const { key, before } of changes) if (!values.has(key)) values.set(key, before);
    }
  }
}

/** Divides the values into commits of limited size. */
function requestsFor(values: ReadonlyMap<string, StoredValue | undefined>, note: string): CommitRequest[] {
  const parts = [new Map<string, StoredValue | undefined>()];
  let bytes = 0;
  for (const [key, value] of values) {
    bytes += value?.length ?? 0;
    if (parts.at(-1)!.size === KEYS_MAX || bytes > BYTES_MAX) {
      parts.push(new Map());
      bytes = value?.length ?? 0;
    }
    parts.at(-1)!.set(key, value);
  }
  const rest = { base: undefined, reads: new Map(), ranges: [], appends: [], additions: [], note };
  return parts.map((writes) => ({ ...rest, writes }));
}
