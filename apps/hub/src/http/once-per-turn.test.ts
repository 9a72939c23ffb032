import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { oncePerTurn } from './once-per-turn.ts';

it('asks once per turn of the event loop, and anew in the next or when told to forget', async () => {
  let asked = 0;
  const answer = oncePerTurn(() => (asked += 1));
  expect([answer.get(), answer.get()]).toEqual([1, 1]);
  await Promise.resolve();
  expect(answer.get()).toBe(1);
  answer.forget();
  expect(answer.get()).toBe(2);
  await nextTurn();
  expect(answer.get()).toBe(3);
});

it('does not keep a failure', async () => {
  let isBroken = true;
  const answer = oncePerTurn(() => {
    if (isBroken) throw new Error('locked');
    return 'fine';
  });
  expect(() => answer.get()).toThrow('locked');
  isBroken = false;
  expect(answer.get()).toBe('fine');
  await nextTurn();
});
