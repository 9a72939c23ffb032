import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { Limiter, SerialQueue, SerialQueues } from './limiter.ts';

test('A limiter runs no more than its maximum at once, all of them, in the order they came', async () => {
  const limiter = new Limiter(3);
  let most = 0;
  const order: number[] = [];
  const task = async (n: number): Promise<void> => {
    most = Math.max(most, limiter.running);
    order.push(n);
    await nextTurn();
    if (n === 4) throw new Error('four');
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => limiter.run(() => task(n))));
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

test('A newcomer does not overtake those who wait', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const first = queue.run(() => order.push('first'));
  const second = queue.run(() => order.push('second'));
  await first;
  const third = queue.run(() => order.push('third'));
  await Promise.all([second, third]);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('A task that throws does not stop the queue', async () => {
  const queue = new SerialQueue();
  const failed = queue.run(() => {
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await expect(queue.run(() => 'yes')).resolves.toBe('yes');
});

test('idle waits for everything queued before it, failures included', async () => {
  const queue = new SerialQueue();
  let done = 0;
  for (let n = 0; n < 5; n++) {
    queue
      .run(async () => {
        await nextTurn();
        done += 1;
        throw new Error('ignored');
      })
      .catch(() => undefined);
  }
  await queue.idle();
  expect(done).toBe(5);
});

test('Queues of different keys do not wait for each other', async () => {
  const queues = new SerialQueues();
  const order: string[] = [];
  const releaseA = await queues.acquire('a');
  const waits = queues.run('a', () => order.push('a'));
  await queues.run('b', () => order.push('b'));
  releaseA();
  await waits;
  await queues.run('a', () => order.push('a again'));
  expect(order).toEqual(['b', 'a', 'a again']);
});
