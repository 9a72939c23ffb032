import { join } from 'node:path';

import { type Database, openDatabase, restoreToRevision } from '@holdfast/sqlite';
import { expect, it, onTestFinished } from 'vitest';

import { Random } from '../../sqlite/test/random.ts';
import { events, plays, schema, task, tasks, users } from '../test/plan-schema.ts';
import { storedKeys } from '../test/both-engines.ts';
import { temporaryFolder } from '../test/temporary.ts';
import { engineOn, Keyspace } from './index.ts';

const CYCLES = Number(process.env['HOLDFAST_DAMAGE_CYCLES'] ?? 40);
const SEED = 20_261_116;

async function openFilled(): Promise<{ readonly database: Database; readonly db: Keyspace }> {
  const database = await openDatabase({ path: join(temporaryFolder(), 'keys.db'), kind: 'keyspace' });
  onTestFinished(() => database.close());
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

/** Writes around the journal, as a failing disk or another program does. */
function writeRaw(database: Database, sql: string, ...values: readonly (string | number | Uint8Array)[]) {
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

it('random damage: every intact record stays readable, the rest is repaired or set aside, and nothing fails', async () => {
  const random = new Random(SEED);
  const garbage = ['', '{', 'null', '{"id":1}', new Uint8Array([1, 2, 3]), '7', '{"seq":"x"}'] as const;
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const { database, db } = await openFilled();
    const sound = await storedKeys(db);
    const damaged = new Set(random.shuffled(Object.keys(sound)).slice(0, 1 + random.below(8)));
    for (const key of damaged) {
      if (random.below(5) === 0) await writeRaw(database, 'DELETE FROM keyspace WHERE key = ?', key);
      else await writeRaw(database, setValue, random.of(garbage), key);
    }
    for (let entries = random.below(4); entries > 0; entries -= 1) {
      await writeRaw(database, 'UPDATE holdfast_journal SET changes = ? WHERE revision = ?', '[[', 1 + random.below(4));
    }
    const label = `seed ${SEED}, cycle ${cycle}: ${[...damaged].join(' ')}`;
    const reader = new Keyspace(db.engine, schema, () => undefined);
    for (const key of ['1', '2', '3', '4']) {
      if (damaged.has(`u:${key}`)) continue;
      expect(await reader.get(users, { id: key }), label).toEqual(JSON.parse(String(sound[`u:${key}`])));
    }
    await reader.list(tasks, { sid: 'a' });
    await reader.list(events.by.feed, { sid: 'a' });
    await db.verify();
    await db.repair();
    const after = await storedKeys(db);
    for (const [key, value] of Object.entries(sound)) {
      const isRecord = !key.startsWith('idx') && !key.includes('/idx/');
      if (isRecord && !damaged.has(key)) expect(after[key], label).toEqual(value);
    }
    const left = (await db.verify()).problems;
    expect(
      left.filter(({ kind }) => kind !== 'log_gap'),
      label,
    ).toEqual([]);
    await db.list(tasks, { sid: 'a' });
    await db.transact(async (tx) => tx.append(events, { sid: 'a' }, (seq) => ({ seq, what: 'next' })));
  }
});
