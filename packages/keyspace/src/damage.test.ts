import { join } from 'node:path';

import { type Database, findJournalProblems, openDatabase, restoreToRevision, type SqlValue } from '@holdfast/sqlite';
import { expect, it, onTestFinished } from 'vitest';

import { events, plays, schema, task, tasks, users } from '../test/plan-schema.ts';
import { storedKeys } from '../test/every-engine.ts';
import { temporaryFolder } from '../test/temporary.ts';
import { engineOn, Keyspace } from './index.ts';

async function openFilled(): Promise<{ readonly database: Database; readonly db: Keyspace }> {
  const database = await openDatabase({ path: join(temporaryFolder(), 'keys.db'), kind: 'keyspace' });
  onTestFinished(() => database.close({ processIsEnding: true }));
  const db = new Keyspace(engineOn(database), schema);
  for (const id of ['1', '2', '3', '4']) {
    await db.transact(async (tx) => {
      await tx.put(tasks, { sid: 'a', id }, task(id, { tags: ['x', id] }));
      await tx.put(users, { id }, { id, name: `User ${id}`, active: true });
      tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: id }));
      tx.add(plays, { id }, Number(id));
    });
  }
  return { database, db };
}

/** Writes without the journal, as a failing disk or another program does. */
function writeRaw(database: Database, sql: string, ...values: readonly SqlValue[]) {
  return database.write(({ connection }) => connection.run(sql, ...values));
}

const setValue = 'UPDATE keyspace SET value = ? WHERE key = ?';

it('restores from the journal what was changed without it, and undoes that like any commit', async () => {
  const { database, db } = await openFilled();
  const sound = await storedKeys(db);
  await writeRaw(database, setValue, 'damaged', 's/a/task/2');
  await writeRaw(database, setValue, '{"id":"3","name":"Eve","active":true}', 'u:3');
  await writeRaw(database, 'DELETE FROM keyspace WHERE key = ?', 's/a/evt/0000000000000002');
  const { problems } = await db.repair();
  expect(problems.map(({ kind, key, repaired }) => `${kind} ${key} ${repaired}`).toSorted()).toEqual([
    'journal_differs s/a/evt/0000000000000002 true',
    'journal_differs s/a/task/2 true',
    'journal_differs u:3 true',
  ]);
  expect(await storedKeys(db)).toEqual(sound);
});

it('a restore to a revision corrects values that were damaged since, also keys that did not change', async () => {
  const { database, db } = await openFilled();
  const revision = await db.revision();
  const sound = await storedKeys(db);
  await db.transact((tx) => tx.put(users, { id: '9' }, { id: '9', name: 'Late', active: true }));
  await writeRaw(database, setValue, 'damaged', 's/a/task/2');
  const { value: changed } = await restoreToRevision(database, revision);
  expect(changed).toBeGreaterThanOrEqual(2);
  expect(await storedKeys(db)).toEqual(sound);
});

it('a damaged journal entry ends neither a watch nor a repair, and restoring past it fails clearly', async () => {
  const { database, db } = await openFilled();
  await writeRaw(database, "UPDATE holdfast_journal SET changes = '{' WHERE revision = 2");
  const seen: boolean[] = [];
  const controller = new AbortController();
  for await (const { revision, reset } of db.watchPrefix('', { since: 1, signal: controller.signal })) {
    seen.push(reset);
    if (revision === 4) controller.abort();
  }
  expect(seen).toEqual([true, false, false]);
  expect((await db.repair()).problems).toEqual([]);
  await expect(restoreToRevision(database, 1)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await restoreToRevision(database, 2);
});

it('a number in the place of a value is unreadable, hides no other value, and is set aside', async () => {
  const { database, db } = await openFilled();
  await writeRaw(database, setValue, 2n ** 60n, 'u:2');
  await writeRaw(database, "UPDATE holdfast_journal SET changes = '{' WHERE revision = 4");
  const reader = new Keyspace(db.engine, schema, () => undefined);
  expect((await reader.list(users, {})).map(({ id }) => id)).toEqual(['1', '3', '4']);
  expect(await db.repair()).toMatchObject({ problems: [{ key: 'u:2', repaired: true }, { kind: 'stale_index' }] });
  expect(await db.verify()).toMatchObject({ setAside: ['u:2'], problems: [] });
});

it('a changed character in a journal entry is noticed, so repair keeps the intact value', async () => {
  const { database, db } = await openFilled();
  const sound = await storedKeys(db);
  await writeRaw(
    database,
    "UPDATE holdfast_journal SET changes = replace(changes, 'User 4', 'User #') WHERE revision = 4",
  );
  expect(findJournalProblems(database)).toMatchObject([{ kind: 'journal_damaged', repaired: false }]);
  await db.repair();
  expect(await storedKeys(db)).toEqual(sound);
  expect(findJournalProblems(database)).toEqual([]);
});

it('a missing journal entry is noticed, so repair does not bring back older values, and restore does not skip it', async () => {
  const { database, db } = await openFilled();
  await db.transact((tx) => tx.put(users, { id: '1' }, { id: '1', name: 'Renamed', active: true }));
  await db.transact((tx) => tx.put(users, { id: '9' }, { id: '9', name: 'Late', active: true }));
  const sound = await storedKeys(db);
  await writeRaw(database, 'DELETE FROM holdfast_journal WHERE revision = 5');
  await expect(restoreToRevision(database, 4)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  expect(findJournalProblems(database)).toMatchObject([{ detail: 'the journal entry of revision 5 is missing' }]);
  await db.repair();
  expect(await storedKeys(db)).toEqual(sound);
  expect(findJournalProblems(database)).toEqual([]);
  await expect(restoreToRevision(database, 4)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
});

it('the keys of an index include those of damaged records, and reading around damage leaves them out', async () => {
  const { database } = await openFilled();
  await writeRaw(database, setValue, 'damaged', 's/a/task/2');
  const skipped: string[] = [];
  const db = new Keyspace(engineOn(database), schema, (key) => void skipped.push(key));
  const index = { sid: 'a', status: 'pending' } as const;
  const found = await db.list(tasks.by.status, index);
  expect(found.map(({ id }) => id)).toEqual(['1', '3', '4']);
  expect(skipped).toEqual(['s/a/task/2']);
  expect(await db.keys(tasks.by.status, index)).toEqual(['1', '2', '3', '4'].map((id) => ({ sid: 'a', id })));
});

it('a value whose field contradicts its key is set aside, so that no index entry points to another key', async () => {
  const { database, db } = await openFilled();
  await writeRaw(database, 'DELETE FROM holdfast_journal');
  await writeRaw(database, setValue, '{"id":"#","name":"User 3","active":true}', 'u:3');
  const { problems } = await db.repair();
  expect(problems.filter(({ repaired }) => !repaired)).toEqual([]);
  expect((await db.verify()).problems).toEqual([]);
  expect(await db.get(users, { id: '3' })).toBeUndefined();
  expect(JSON.stringify(await storedKeys(db))).toMatch(/holdfast:set-aside\/\d+\/u:3/u);
});
