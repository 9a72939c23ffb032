import { afterEach, beforeEach, expect, it } from 'vitest';

import { onEveryEngine, storedKeys } from '../test/every-engine.ts';
import { schema, task, tasks } from '../test/plan-schema.ts';
import { type Keyspace, type KeyspaceMigration, type KeyspaceMigrations, openKeyspace } from './index.ts';

onEveryEngine('migrations', (open) => {
  let db: Keyspace;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.close({ processIsEnding: true }));

  const initial: KeyspaceMigration = {
    version: 1,
    description: 'initial layout',
    step: () => Promise.resolve(undefined),
  };
  const upgrade = (steps: readonly KeyspaceMigration[], options: Partial<KeyspaceMigrations> = {}) =>
    openKeyspace({ engine: db.engine, schema, migrations: { versionKey: 'meta/schema_version', steps, ...options } });

  it('write the version under the key that the design gives', async () => {
    await upgrade([initial]);
    expect(await storedKeys(db)).toEqual({ 'meta/schema_version': '1' });
  });

  it('are recorded with their duration, and not run again', async () => {
    let runs = 0;
    let time = Date.parse('2026-01-02T03:04:05Z');
    const counted = { ...initial, step: () => Promise.resolve(void (runs += 1)) };
    const options = { versionKey: 'meta:version', recordKey: 'mig:{version:d10}', now: () => (time += 5) };
    await upgrade([counted], options);
    await upgrade([counted], options);
    expect(runs).toBe(1);
    const stored = await storedKeys(db);
    expect(stored['meta:version']).toBe('1');
    expect(JSON.parse(stored['mig:0000000001'] as string)).toMatchObject({
      id: 1,
      description: 'initial layout',
      applied_at: expect.stringMatching(/^2026-01-02T03:04:05\./),
      duration_ms: expect.any(Number),
    });
  });

  /** Marks every task as done, two at a time. */
  const finishAll = (onStep: () => void = () => undefined): KeyspaceMigration => ({
    version: 2,
    description: 'finish all tasks',
    async step(tx, place) {
      const page = await tx.list(tasks, { sid: 'a' }, { limit: 2, ...(place === undefined ? {} : { start: place }) });
      for (const value of page) await tx.put(tasks, { sid: 'a', id: value.id }, { ...value, status: 'done' });
      onStep();
      const last = page.at(-1);
      return last === undefined || page.length < 2 ? undefined : `${last.id}+`;
    },
  });

  async function fiveTasks(): Promise<void> {
    await db.transact(async (tx) => {
      for (const id of ['1', '2', '3', '4', '5']) await tx.put(tasks, { sid: 'a', id }, task(id));
    });
  }

  it('that are interrupted go on from the step they had reached', async () => {
    await fiveTasks();
    let steps = 0;
    const failing = finishAll(() => {
      steps += 1;
      if (steps === 2) throw new Error('power cut');
    });
    await expect(upgrade([initial, failing])).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
    expect(await db.list(tasks.by.status, { sid: 'a', status: 'done' })).toHaveLength(2);
    expect((await storedKeys(db))['meta/schema_version']).toBe('1');
    await upgrade([initial, failing]);
    expect(steps).toBe(4);
    expect(await db.list(tasks.by.status, { sid: 'a', status: 'done' })).toHaveLength(5);
    expect(Object.keys(await storedKeys(db)).filter((key) => key.startsWith('meta/'))).toEqual(['meta/schema_version']);
  });

  it('are applied once when many start at the same time', async () => {
    await fiveTasks();
    const addOne: KeyspaceMigration = {
      version: 1,
      description: 'add a task',
      async step(tx) {
        const count = (await tx.list(tasks, { sid: 'a' })).length;
        await tx.put(tasks, { sid: 'a', id: `new-${count}` }, task(`new-${count}`));
        return undefined;
      },
    };
    await Promise.all(Array.from({ length: 8 }, () => upgrade([addOne])));
    expect(await db.list(tasks, { sid: 'a' })).toHaveLength(6);
  });

  it('refuse a database from a newer program, and one with a damaged version', async () => {
    await upgrade([initial, finishAll()]);
    await expect(upgrade([initial])).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
    await db.transact((tx) => Promise.resolve(tx.writeKey('meta/schema_version', 'seven')));
    await expect(upgrade([initial])).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
  });

  it('must be numbered without gaps', async () => {
    await expect(upgrade([{ ...initial, version: 2 }])).rejects.toThrow(TypeError);
  });
});
