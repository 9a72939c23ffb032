import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest, typingMistakes } from './closest.ts';

describe('closest', () => {
  it.each([
    ['stauts', 'status'],
    ['verfy', 'verify'],
    ['--titel', '--title'],
    ['lst', 'list'],
  ])('takes %s for %s', (typed, meant) => {
    expect(closest(typed, ['list', 'status', 'verify', '--title'])).toBe(meant);
  });

  it('says nothing when the word is something else altogether', () => {
    expect(closest('frobnicate', ['list', 'status'])).toBeUndefined();
    expect(closest('x', [])).toBeUndefined();
  });

  it('prefers the fewest mistakes', () => {
    expect(closest('stats', ['status', 'stats-all', 'start'])).toBe('status');
  });
});

describe('typingMistakes', () => {
  it('counts a swap of neighbours as one', () => {
    expect(typingMistakes('ab', 'ba')).toBe(1);
    expect(typingMistakes('', 'abc')).toBe(3);
  });

  it('is symmetric, and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (left, right) => {
        expect(typingMistakes(left, right)).toBe(typingMistakes(right, left));
        expect(typingMistakes(left, right) === 0).toBe(left === right);
      }),
    );
  });
});
