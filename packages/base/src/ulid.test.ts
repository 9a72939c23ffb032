import { describe, expect, it } from 'vitest';

import { isUlid, ulidSource } from './ulid.ts';

describe('ULIDs', () => {
  it('carry the time and are well formed', () => {
    const next = ulidSource({ now: () => 1_700_000_000_123, random: (bytes) => bytes.fill(7) });
    const ulid = next();
    expect(isUlid(ulid)).toBe(true);
    // The first ten characters are the milliseconds in base 32.
    expect(ulid.slice(0, 10)).toBe('01HF7YAT3V');
    expect(isUlid('not a ulid')).toBe(false);
  });

  it('strictly increase within a millisecond and when the clock goes back', () => {
    let time = 1_000;
    const next = ulidSource({ now: () => time, random: (bytes) => bytes.fill(31) });
    const made = Array.from({ length: 100 }, (_, index) => {
      time = index % 7 === 0 ? 500 : 1_000;
      return next();
    });
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('do not repeat', () => {
    const next = ulidSource();
    expect(new Set(Array.from({ length: 10_000 }, next)).size).toBe(10_000);
  });
});
