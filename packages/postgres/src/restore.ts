import type { StoredValue } from '@holdfast/base';
import { storeErrors } from '@holdfast/sqlite';

import type { PostgresEngine } from './engine.ts';

const PAGE = 500;

/**
 * Restores an earlier revision with a new commit, like `restoreToRevision` on SQLite. If another process commits
 * meanwhile, the next round also undoes that commit, so the last commit restores exactly the earlier state.
 */
export async function restoreKeys(
  engine: PostgresEngine,
  revision: number,
): Promise<{ readonly changed: number; readonly revision: number }> {
  for (let changed = 0; ;) {
    const head = await engine.revision();
    await checkRestorePoint(engine, revision, head);
    const writes = await valuesAt(engine, revision, head);
    const outcome = await engine.commit({
      base: head,
      reads: new Map(),
      ranges: [],
      writes,
      appends: [],
      additions: [],
      note: `restored to revision ${revision}`,
    });
    changed = Math.max(changed, writes.size);
    if (!outcome.conflict && outcome.revision <= head + 1) return { changed, revision: outcome.revision };
  }
}

async function checkRestorePoint(engine: PostgresEngine, revision: number, newest: number): Promise<void> {
  const oldest = Math.max(0, (await engine.oldestRevision()) - 1);
  if (Number.isInteger(revision) && revision >= oldest && revision <= newest) return;
  throw storeErrors.RESTORE_POINT_UNKNOWN(
    `${engine.place} can be restored to revisions ${oldest} to ${newest}, not to ${revision}`,
  );
}

/** Returns the values at `revision` of all keys that have changed since, up to `head`. */
async function valuesAt(
  engine: PostgresEngine,
  revision: number,
  head: number,
): Promise<ReadonlyMap<string, StoredValue | undefined>> {
  const values = new Map<string, StoredValue | undefined>();
  for (let since = revision; since < head;) {
    const commits = await engine.changes(since, Math.min(PAGE, head - since));
    for (const { revision: at, reset, changes } of commits) {
      since = at;
      if (reset) throw storeErrors.JOURNAL_DAMAGED(`The changes of revision ${at} are not known`);
      for (const { key, before } of changes) if (!values.has(key)) values.set(key, before);
    }
  }
  return values;
}
