import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { delay } from '@holdfast/base';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freshProfile } from '../../../test/both-backends.ts';
import { Person } from '../../../test/command.ts';
import { NatsCluster } from '../../../test/nats.ts';
import { utaskOn } from '../../service/open-utask.ts';
import type { Utask } from '../../service/utask.ts';
import type { Replication } from '../../store/bucket.ts';
import { openNats } from './open.ts';

const TIMEOUT_MS = 180_000;
/** ut promises an answer within 8 s; the remaining time is a margin for a busy machine. */
const LIMIT_MS = 10_000;

let cluster: NatsCluster;
beforeAll(async () => {
  cluster = await NatsCluster.start();
});
afterAll(() => cluster.stop());

const patient = { timeout: 60_000, interval: 200 };

async function opened(profile: string, replicas: number): Promise<Utask> {
  let utask: Utask | undefined;
  const open = async (): Promise<boolean> => {
    utask ??= await openNats({ url: cluster.url, profile, replicas }).then(utaskOn, () => undefined);
    return utask !== undefined;
  };
  await expect.poll(open, patient).toBe(true);
  onTestFinished(() => utask?.close());
  return utask as Utask;
}

async function tasksBucket(utask: Utask): Promise<Replication> {
  const state = async (): Promise<Replication | undefined> =>
    (await utask.status().catch(() => undefined))?.replication[0];
  await expect.poll(async () => (await state())?.leader ?? null, patient).not.toBeNull();
  return (await state()) as Replication;
}

/** Waits until every server has every change. */
async function settled(utask: Utask): Promise<Replication> {
  const isSettled = async (): Promise<boolean> => {
    const { leader, followers } = await tasksBucket(utask);
    return leader !== null && followers.length === 2 && followers.every((each) => each.is_current && each.lag === 0);
  };
  await expect.poll(isSettled, patient).toBe(true);
  return tasksBucket(utask);
}

it(
  'loses no acknowledged change when leaders are killed, and shows who leads and who is behind',
  async () => {
    const profile = freshProfile();
    const utask = await opened(profile, 3);
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const { leader } = await settled(utask);
      await cluster.server(leader as string).halt('SIGKILL');
      for (let added = 0; added < 5;) {
        const task = await utask
          .add(`round ${round}`, ['a'])
          .catch((error: unknown) => error as { readonly kind: string });
        if ('id' in task) {
          acknowledged.push(task.id);
          added += 1;
        } else {
          expect(task.kind).toBe('unavailable');
          await delay(100);
        }
      }
      const { leader: next, followers } = await tasksBucket(utask);
      expect(next).not.toBe(leader);
      expect(followers.find(({ name }) => name === leader)).toMatchObject({ is_current: false });
      await cluster.server(leader as string).resume();
    }
    await settled(utask);
    const ids = (await utask.query({ any: ['a'] })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(await utask.check()).toMatchObject({ missing: [] });
    const person = new Person({ UTASK_NATS_URL: cluster.url, UTASK_PROFILE: profile });
    expect(person.ut('server', 'status').stdout).toMatch(
      /utask_tasks_\w+ +3 replicas, leader n\d, n\d is current, n\d is current\n/,
    );
    expect(person.data('server', 'status', '--replicas', '1')).toMatchObject({
      replication: [{ replicas: 1 }, { replicas: 1 }],
    });
  },
  TIMEOUT_MS,
);

it(
  'loses no task when the only server with the tasks fails right after more servers were to store them',
  async () => {
    const profile = freshProfile();
    const alone = await opened(profile, 1);
    const { leader } = await tasksBucket(alone);
    for (let added = 0; added < 20; added++) await alone.add(`task ${added}`, ['a']);
    const replicated = await opened(profile, 3);
    await cluster.server(leader as string).halt('SIGKILL');
    onTestFinished(() => cluster.server(leader as string).resume());
    const found = (): Promise<number> =>
      replicated.query({ any: ['a'] }).then(
        (tasks) => tasks.length,
        () => -1,
      );
    await expect.poll(found, patient).not.toBe(-1);
    expect(await found()).toBe(20);
  },
  TIMEOUT_MS,
);

it(
  'fails within the promised time when the only server with the tasks is dead',
  async () => {
    const profile = freshProfile();
    const utask = await opened(profile, 1);
    await utask.add('out of reach');
    const { leader } = await tasksBucket(utask);
    await cluster.server(leader as string).halt('SIGKILL');
    onTestFinished(() => cluster.server(leader as string).resume());
    const timed = async (run: () => Promise<unknown>): Promise<number> => {
      const began = Date.now();
      await expect(run()).rejects.toMatchObject({ kind: 'unavailable' });
      return Date.now() - began;
    };
    expect(await timed(() => openNats({ url: cluster.url, profile }))).toBeLessThan(LIMIT_MS);
    expect(await timed(() => utask.query())).toBeLessThan(LIMIT_MS);
    expect(await timed(() => utask.add('too late'))).toBeLessThan(LIMIT_MS);
  },
  TIMEOUT_MS,
);

it(
  'never takes a server that came back without its data for the whole list',
  async () => {
    const count = 1_000;
    const profile = freshProfile();
    const utask = await opened(profile, 3);
    await Promise.all(Array.from({ length: count }, (_, n) => utask.buckets.tasks.replace(`k${n}`, 'x', 0)));
    const { followers } = await settled(utask);
    const { name } = followers[0] as { readonly name: string };
    for (let round = 0; round < 3; round++) {
      const server = cluster.server(name);
      await server.halt('SIGKILL');
      const stream = join(server.folder, 'jetstream/$G/streams', `KV_${utask.buckets.tasks.name}`, 'msgs');
      rmSync(stream, { recursive: true });
      await server.resume();
      const seen = new Set<unknown>();
      for (const end = Date.now() + 3_000; Date.now() < end;) {
        const scans = Array.from({ length: 4 }, () =>
          utask.buckets.tasks.scan().then(
            (found) => found.length,
            (error: { readonly kind: string }) => error.kind,
          ),
        );
        for (const each of await Promise.all(scans)) seen.add(each);
      }
      expect([...seen].filter((each) => each !== 'unavailable' && each !== count)).toEqual([]);
    }
  },
  TIMEOUT_MS,
);
