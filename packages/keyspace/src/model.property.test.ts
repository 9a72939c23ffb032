import { rmSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { events, plays, schema, type Task, task, tasks } from '../test/plan-schema.ts';
import { temporaryFolder } from '../test/temporary.ts';
import { type Keyspace, memoryEngine, openKeyspace, sqliteEngine } from './index.ts';

/** Compares random operations on every engine with a naive model. Few keys, so that operations collide. */

const sids = fc.constantFrom('a', 'ab', 'a/b');
const ids = fc.constantFrom('1', '2', '10', 'ü', 'x:y');
const values = fc.record({
  status: fc.constantFrom('pending' as const, 'done' as const),
  tags: fc.uniqueArray(fc.constantFrom('red', 'green', 'a/b'), { maxLength: 3 }),
  owner: fc.option(fc.constantFrom('me', 'you'), { nil: null }),
});

const operations = fc.oneof(
  fc.record({ do: fc.constant('put' as const), sid: sids, id: ids, value: values }),
  fc.record({ do: fc.constant('delete' as const), sid: sids, id: ids }),
  fc.record({ do: fc.constant('append' as const), sid: sids, what: fc.constantFrom('x', 'y') }),
  fc.record({ do: fc.constant('add' as const), id: ids, amount: fc.integer({ min: -3, max: 9 }) }),
  fc.record({ do: fc.constant('fail' as const), sid: sids, id: ids, value: values }),
);
type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never;

const transactions = fc.array(fc.array(operations, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

class Model {
  tasks = new Map<string, Task & { sid: string }>();
  events = new Map<string, string[]>();
  plays = new Map<string, number>();

  apply(operation: Operation): void {
    if (operation.do === 'put') {
      const key = JSON.stringify([operation.sid, operation.id]);
      this.tasks.set(key, { sid: operation.sid, ...task(operation.id, operation.value) });
    } else if (operation.do === 'delete') this.tasks.delete(JSON.stringify([operation.sid, operation.id]));
    else if (operation.do === 'append') {
      this.events.set(operation.sid, [...(this.events.get(operation.sid) ?? []), operation.what]);
    } else if (operation.do === 'add') {
      this.plays.set(operation.id, (this.plays.get(operation.id) ?? 0) + operation.amount);
    }
  }

  copy(): Model {
    const copy = new Model();
    copy.tasks = new Map(this.tasks);
    copy.events = new Map(this.events);
    copy.plays = new Map(this.plays);
    return copy;
  }

  answers(): unknown {
    return answersOf({
      list: (sid) => [...this.tasks.values()].filter((value) => value.sid === sid).map(({ sid: _, ...value }) => value),
      log: (sid) => (this.events.get(sid) ?? []).map((what, index) => ({ seq: index + 1, what })),
      count: (id) => this.plays.get(id) ?? 0,
    });
  }
}

interface Source {
  list(sid: string): Task[];
  log(sid: string): unknown[];
  count(id: string): number;
}

const allSids = ['a', 'ab', 'a/b'];
const allIds = ['1', '2', '10', 'ü', 'x:y'];
const byId = (left: Task, right: Task): number => (left.id < right.id ? -1 : 1);

function answersOf(source: Source): unknown {
  return allSids.map((sid) => {
    const list = source.list(sid).toSorted(byId);
    const withTag = (tag: string) => list.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
    return {
      list,
      done: list.filter(({ status }) => status === 'done').map(({ id }) => id),
      tags: ['red', 'green', 'a/b'].map(withTag),
      owners: ['me', 'you'].map((owner) => list.filter((value) => value.owner === owner).map(({ id }) => id)),
      log: source.log(sid),
      counts: allIds.map((id) => source.count(id)),
    };
  });
}

async function answersOfKeyspace(db: Keyspace): Promise<unknown> {
  return db.snapshot((reads) =>
    Promise.all(
      allSids.map(async (sid) => {
        const idsOf = (list: readonly Task[]) => [...list].sort(byId).map(({ id }) => id);
        return {
          list: (await reads.list(tasks, { sid })).toSorted(byId),
          done: idsOf(await reads.list(tasks.by.status, { sid, status: 'done' })),
          tags: await Promise.all(
            ['red', 'green', 'a/b'].map(async (tags) => idsOf(await reads.list(tasks.by.tag, { sid, tags }))),
          ),
          owners: await Promise.all(
            ['me', 'you'].map(async (owner) => idsOf(await reads.list(tasks.by.owner, { sid, owner }))),
          ),
          log: await reads.list(events, { sid }),
          counts: await Promise.all(allIds.map((id) => reads.get(plays, { id }))),
        };
      }),
    ),
  );
}

async function run(db: Keyspace, transaction: readonly Operation[]): Promise<boolean> {
  try {
    await db.transact(async (tx) => {
      for (const operation of transaction) {
        if (operation.do === 'put' || operation.do === 'fail') {
          await tx.put(tasks, { sid: operation.sid, id: operation.id }, task(operation.id, operation.value));
          if (operation.do === 'fail') throw new Error('on purpose');
        } else if (operation.do === 'delete') await tx.delete(tasks, { sid: operation.sid, id: operation.id });
        else if (operation.do === 'append') {
          tx.append(events, { sid: operation.sid }, (seq) => ({ seq, what: operation.what }));
        } else tx.add(plays, { id: operation.id }, operation.amount);
      }
    });
    return true;
  } catch {
    return false;
  }
}

it(
  'every engine answers like the model, after any transactions and after being reopened',
  { timeout: 180_000 },
  async () => {
    const path = join(temporaryFolder(), 'model.db');
    await fc.assert(
      fc.asyncProperty(transactions, async (list) => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
        const memory = await openKeyspace({ engine: memoryEngine(), schema });
        let sqlite = await openKeyspace({ engine: await sqliteEngine({ path, synchronous: 'OFF' }), schema });
        let model = new Model();
        for (const transaction of list) {
          const fails = transaction.some(({ do: verb }) => verb === 'fail');
          const next = model.copy();
          for (const operation of transaction) next.apply(operation);
          if (!fails) model = next;
          expect(await run(memory, transaction)).toBe(!fails);
          expect(await run(sqlite, transaction)).toBe(!fails);
        }
        const expected = model.answers();
        expect(await answersOfKeyspace(memory)).toEqual(expected);
        expect(await answersOfKeyspace(sqlite)).toEqual(expected);
        expect((await sqlite.verify()).problems).toEqual([]);
        await sqlite.close();
        sqlite = await openKeyspace({ engine: await sqliteEngine({ path, synchronous: 'OFF' }), schema });
        expect(await answersOfKeyspace(sqlite)).toEqual(expected);
        expect(await sqlite.revision()).toBe(await memory.revision());
        await sqlite.close();
      }),
      { numRuns: 150 },
    );
  },
);

it('transactions that run at once leave a state that some order of them explains', async () => {
  await fc.assert(
    fc.asyncProperty(transactions, async (list) => {
      const db = await openKeyspace({ engine: memoryEngine(), schema });
      const done = await Promise.all(list.map((transaction) => runForOrder(db, transaction)));
      const inOrder = done.filter((entry) => entry !== undefined).toSorted((a, b) => a.revision - b.revision);
      const model = new Model();
      for (const { transaction } of inOrder) for (const operation of transaction) model.apply(operation);
      expect(await answersOfKeyspace(db)).toEqual(model.answers());
    }),
    { numRuns: 150 },
  );
});

async function runForOrder(db: Keyspace, transaction: readonly Operation[]) {
  if (transaction.some(({ do: verb }) => verb === 'fail')) return undefined;
  const { revision } = await db.transactWithRevision(async (tx) => {
    for (const operation of transaction) {
      if (operation.do === 'put') {
        await tx.put(tasks, { sid: operation.sid, id: operation.id }, task(operation.id, operation.value));
      } else if (operation.do === 'delete') await tx.delete(tasks, { sid: operation.sid, id: operation.id });
      else if (operation.do === 'append') {
        tx.append(events, { sid: operation.sid }, (seq) => ({ seq, what: operation.what }));
      } else if (operation.do === 'add') tx.add(plays, { id: operation.id }, operation.amount);
    }
  });
  return { revision, transaction };
}
