import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NatsServer } from '../../../test/nats.ts';
import { utaskOn } from '../../service/open-utask.ts';
import type { Utask } from '../../service/utask.ts';
import { openNats } from './open.ts';

/** Checks the store with NATS' own KV client, which does not use this code. */
let server: NatsServer;
let raw: NatsConnection;
let store: Utask;
beforeAll(async () => {
  server = await NatsServer.start();
  raw = await connect({ servers: `127.0.0.1:${server.port}` });
  store = utaskOn(await openNats({ url: server.url }), { shardSize: 3 });
});
afterAll(async () => {
  await store.close();
  await raw.close();
  await server.stop();
});

it('a NATS client finds exactly the documented keys and values', async () => {
  const task = await store.add('Buy milk', ['errand', 'two words']);
  const others = [];
  for (let n = 0; n < 4; n++) others.push(await store.add(`${n}`, ['errand']));
  const tasks = await new Kvm(raw).open('utask_tasks');
  const tags = await new Kvm(raw).open('utask_tags');
  const keysOf = async (kv: typeof tasks): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const key of await kv.keys()) keys.push(key);
    return keys.sort();
  };
  expect(await keysOf(tasks)).toEqual([task, ...others].map(({ id }) => id).sort());
  expect((await tasks.get(task.id))?.string()).toBe(
    `{"id":"${task.id}","text":"Buy milk","done":false,"tags":["errand","two words"],"created":"${task.created}"}`,
  );
  expect(await keysOf(tags)).toEqual(['errand', 'errand.1', 'two=20words']);
  const [first, second, third, fourth, fifth] = [task, ...others].map(({ id }) => id);
  expect((await tags.get('errand'))?.string()).toBe([first, second, third].join('\n'));
  expect((await tags.get('errand.1'))?.string()).toBe([fourth, fifth].join('\n'));
  expect((await tags.get('two=20words'))?.string()).toBe(task.id);
  const { streamInfo } = await tasks.status();
  expect(streamInfo.config).toMatchObject({ max_msgs_per_subject: 16, allow_direct: false, storage: 'file' });
});

it('what a NATS client wrote and deleted is understood', async () => {
  const kv = await new Kvm(raw).open('utask_tasks');
  const id = '7'.repeat(128);
  await kv.create(
    id,
    JSON.stringify({ id, text: 'theirs', done: false, tags: ['x'], created: '2025-08-26T13:40:00Z' }),
  );
  expect(await store.get(id.slice(0, 32))).toMatchObject({ text: 'theirs' });
  expect((await store.check()).missing).toEqual([{ tag: 'x', id }]);
  await store.rebuildIndex();
  expect(await store.query({ any: ['x'] })).toHaveLength(1);
  await kv.purge(id);
  expect(await store.query({ any: ['x'] })).toEqual([]);
  await expect(store.get(id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
});

it('buckets that another client made, with reads from replicas allowed, work too', async () => {
  for (const name of ['utask_tasks_theirs', 'utask_tags_theirs']) await new Kvm(raw).create(name);
  const theirs = utaskOn(await openNats({ url: server.url, profile: 'theirs' }));
  const { id } = await theirs.add('one', ['a']);
  for (let n = 0; n < 10; n++) await theirs.modify(id, ({ text }) => ({ text: `${text}.` }));
  expect((await theirs.query({ any: ['a'] }))[0]?.text).toBe('one..........');
  await theirs.close();
});

it('a tag with 20,000 tasks works', async () => {
  const many = utaskOn(await openNats({ url: server.url, profile: 'many' }));
  const total = 20_000;
  let next = 0;
  const addSome = async (): Promise<void> => {
    while (next < total) await many.add(`task ${next++}`, ['many']);
  };
  await Promise.all(Array.from({ length: 400 }, addSome));
  const found = await many.query({ any: ['many'] });
  expect(found).toHaveLength(total);
  const [first] = found as [(typeof found)[0]];
  await many.update(first.id, { tags: ['few'] });
  await many.delete((found[1] as typeof first).id);
  expect(await many.query({ all: ['many'] })).toHaveLength(total - 2);
  expect(await many.check()).toEqual({ tasks: total - 1, tags: 2, missing: [], stale: [] });
  await many.close();
});
