import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { HeldLease, isLeaseFree, type LeaseOptions } from './lease.ts';
import { identityOf } from './process-identity.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function hold(options: Partial<LeaseOptions>): HeldLease {
  const renew: LeaseOptions['renew'] = () => Promise.resolve('renewed');
  const lease = new HeldLease({ durationMs: 90, renew, ...options }, performance.now());
  onTestFinished(() => lease.stop());
  return lease;
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));
}

it('is valid for as long as it is renewed', async () => {
  const lease = hold({});
  await pass(300);
  expect(lease.isValid).toBe(true);
});

it('runs out when nothing renews it any more, or renewing fails', async () => {
  const skipped = hold({ renew: () => Promise.resolve('skipped') });
  const failed = hold({ renew: () => Promise.reject(new Error('the disk is full')) });
  await pass(89);
  expect([skipped.isValid, failed.isValid]).toEqual([true, true]);
  await pass(1);
  expect([skipped.isValid, failed.isValid]).toEqual([false, false]);
});

it('counts from before it was asked for, however long the answer takes', async () => {
  const lease = hold({ renew: () => after(75, 'renewed') });
  // The renewal is requested after 30 ms and answered after 105 ms.
  await pass(100);
  expect(lease.isValid).toBe(false);
  await pass(15);
  expect(lease.isValid).toBe(true);
  await pass(5);
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
  await pass(200);
  expect(lease.isValid).toBe(false);
  expect([renewals, losses]).toEqual([1, 1]);
});

it('has one renewal under way at a time, and none after its end', async () => {
  let [underWay, most, count] = [0, 0, 0];
  const lease = hold({
    renewEveryMs: 5,
    async renew() {
      most = Math.max(most, ++underWay);
      count += 1;
      await after(30, undefined);
      underWay -= 1;
      return 'renewed';
    },
  });
  await pass(120);
  expect([most, count]).toEqual([1, 4]);
  lease.stop();
  await pass(60);
  expect(count).toBe(4);
  expect(lease.isValid).toBe(false);
});

it('may be taken when it has expired or its holder is gone', () => {
  const holder = identityOf(process.pid);
  expect(isLeaseFree(1_000, holder, 999)).toBe(false);
  expect(isLeaseFree(1_000, holder, 1_000)).toBe(true);
  expect(isLeaseFree(1_000, { ...holder, start: 'long ago' }, 999)).toBe(true);
});
