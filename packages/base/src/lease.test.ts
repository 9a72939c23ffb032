import { expect, it, onTestFinished } from 'vitest';

import { HeldLease, isLeaseFree, type LeaseOptions } from './lease.ts';
import { delay } from './time.ts';
import { identityOf } from './process-identity.ts';

function hold(options: Partial<LeaseOptions>): HeldLease {
  const renew: LeaseOptions['renew'] = () => Promise.resolve('renewed');
  const lease = new HeldLease({ durationMs: 90, renew, ...options }, performance.now());
  onTestFinished(() => lease.stop());
  return lease;
}

it('is valid for as long as it is renewed', async () => {
  const lease = hold({});
  await delay(300);
  expect(lease.isValid).toBe(true);
});

it('runs out when nothing renews it any more, or renewing fails', async () => {
  const skipped = hold({ renew: () => Promise.resolve('skipped') });
  const failed = hold({ renew: () => Promise.reject(new Error('the disk is full')) });
  expect([skipped.isValid, failed.isValid]).toEqual([true, true]);
  await delay(150);
  expect([skipped.isValid, failed.isValid]).toEqual([false, false]);
});

it('counts from before it was asked for, however long the answer takes', async () => {
  let answers = 0;
  const lease = hold({
    async renew() {
      await delay(200);
      answers += 1;
      return 'renewed';
    },
  });
  await expect.poll(() => answers, { interval: 5 }).toBe(1);
  expect(lease.isValid).toBe(false);
});

it('ends once when somebody else has it', async () => {
  let [renewals, losses] = [0, 0];
  const lease = hold({
    renew() {
      renewals += 1;
      return Promise.resolve('lost');
    },
    onLost: () => (losses += 1),
  });
  await expect.poll(() => losses).toBe(1);
  expect(lease.isValid).toBe(false);
  await delay(100);
  expect([renewals, losses]).toEqual([1, 1]);
});

it('has one renewal under way at a time, and none after its end', async () => {
  let underWay = 0;
  let most = 0;
  let count = 0;
  const lease = hold({
    renewEveryMs: 5,
    async renew() {
      most = Math.max(most, ++underWay);
      count += 1;
      await delay(30);
      underWay -= 1;
      return 'renewed';
    },
  });
  await delay(120);
  lease.stop();
  const before = count;
  await delay(60);
  expect(most).toBe(1);
  expect(count).toBe(before);
  expect(lease.isValid).toBe(false);
});

it('may be taken when it has expired or its holder is gone', () => {
  const holder = identityOf(process.pid);
  expect(isLeaseFree(1_000, holder, 999)).toBe(false);
  expect(isLeaseFree(1_000, holder, 1_000)).toBe(true);
  expect(isLeaseFree(1_000, { ...holder, start: 'long ago' }, 999)).toBe(true);
});
