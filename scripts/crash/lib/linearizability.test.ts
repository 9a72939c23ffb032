import { describe, expect, it } from 'vitest';

import { Random } from '../../../packages/sqlite/test/random.ts';
import { counter, findViolation, lease, type Model, type Operation, register } from './linearizability.ts';

type Written = readonly [called: number, returned: number, input: unknown, output?: unknown];

/** Returns whether the history of these operations, each by its own client, is linearizable. */
function fits<State, Input, Output>(model: Model<State, Input, Output>, ...operations: readonly Written[]): boolean {
  const history = operations.map(([called, returned, input, output], client) => ({
    client: String(client),
    input: input as Input,
    output: output as Output | undefined,
    called,
    returned,
  }));
  return findViolation(model, history) === undefined;
}

const write = (value: string) => ({ write: value });
const read = {};
const done = {};
const is = (value: string) => ({ value });

describe('a register', () => {
  it('may show either value during a write, and only the new value after it', () => {
    expect(fits(register, [0, 9, write('a'), done], [1, 2, read, is('')], [3, 4, read, is('a')])).toBe(true);
    expect(fits(register, [0, 9, write('a'), done], [1, 2, read, is('a')], [3, 4, read, is('')])).toBe(false);
    expect(fits(register, [0, 1, write('a'), done], [2, 3, read, is('a')])).toBe(true);
    expect(fits(register, [0, 1, write('a'), done], [2, 3, read, is('')])).toBe(false);
  });

  it('may show a write without an answer at any later moment, but not take it back', () => {
    const unanswered = [0, Infinity, write('a')] as const;
    expect(fits(register, unanswered, [1, 2, read, is('')], [3, 4, read, is('a')])).toBe(true);
    expect(fits(register, unanswered, [1, 2, read, is('')], [3, 4, read, is('')])).toBe(true);
    expect(fits(register, unanswered, [1, 2, read, is('a')], [3, 4, read, is('')])).toBe(false);
  });
});

describe('a counter', () => {
  it('counts every answered addition once', () => {
    const add = { add: 1 };
    expect(fits(counter, [0, 5, add, { value: 2 }], [1, 4, add, { value: 1 }])).toBe(true);
    expect(fits(counter, [0, 5, add, { value: 1 }], [1, 4, add, { value: 1 }])).toBe(false);
    expect(fits(counter, [0, 1, add, { value: 1 }], [2, 3, { add: 0 }, { value: 2 }])).toBe(false);
    expect(fits(counter, [0, Infinity, add], [2, 3, { add: 0 }, { value: 1 }])).toBe(true);
  });
});

describe('a lease', () => {
  it('has one owner at a time, and every owner gets a higher fence', () => {
    const acquired = (fence: number) => ({ fence });
    expect(fits(lease, [0, 5, { acquire: 'a' }, acquired(1)], [1, 4, { acquire: 'b' }, acquired(0)])).toBe(true);
    expect(fits(lease, [0, 5, { acquire: 'a' }, acquired(1)], [1, 4, { acquire: 'b' }, acquired(1)])).toBe(false);
    expect(fits(lease, [0, 5, { acquire: 'a' }, acquired(1)], [1, 4, { acquire: 'b' }, acquired(2)])).toBe(false);
    expect(fits(lease, [0, 1, { acquire: 'a' }, acquired(1)], [2, 3, { take: 'b' }, acquired(2)])).toBe(true);
    const taken = [
      [0, 1, { acquire: 'a' }, acquired(1)],
      [2, 3, { take: 'b' }, acquired(2)],
    ] as const;
    expect(fits(lease, ...taken, [4, 5, { release: 1 }, acquired(0)])).toBe(true);
    expect(fits(lease, ...taken, [4, 5, { release: 1 }, acquired(2)])).toBe(false);
  });
});

/** Six clients use a real register; each operation happens at a random moment between its call and its answer. */
function recorded(random: Random, length: number): Operation<{ write?: string }, { value?: string }>[] {
  const moments = Array.from({ length }, (_, n) => ({ n, at: random.next() * length })).sort((a, b) => a.at - b.at);
  const free = new Map<string, number>();
  let value = '';
  return moments.map(({ n, at }, index) => {
    const client = String(index % 6);
    const called = Math.max(free.get(client) ?? -1, at - 3 * random.next());
    const returned = at + 3 * random.next();
    free.set(client, at);
    const isWrite = random.next() < 0.5;
    if (isWrite) value = `v${n}`;
    return { client, called, returned, input: isWrite ? { write: value } : {}, output: isWrite ? {} : { value } };
  });
}

it('accepts a long history of a real register, and finds one stale read in it', () => {
  const random = new Random(7);
  for (let round = 0; round < 5; round++) {
    const history = recorded(random, 500);
    expect(findViolation(register, history)).toBeUndefined();
    const at = history.findIndex(({ input }, index) => index > 250 && input.write === undefined);
    // A value that was overwritten long before the read was called.
    const old = history.find(({ input }) => input.write !== undefined)!.input.write!;
    const stale = { ...history[at]!, output: { value: old } };
    expect(findViolation(register, history.with(at, stale))).toContain(stale);
  }
});
