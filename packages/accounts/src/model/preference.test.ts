import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePreferenceKey, parsePreferenceValue } from './preference.ts';

const isRefused = (work: () => unknown): boolean => {
  try {
    work();
    return false;
  } catch (error) {
    return (error as { code: string }).code === 'PREFERENCE_INVALID';
  }
};

describe('the value of a preference', () => {
  it('is any JSON, and comes back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        if (JSON.stringify(value).includes('__proto__')) return;
        expect(JSON.parse(JSON.stringify(parsePreferenceValue(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ['nothing', undefined],
    ['not a number', Number.NaN],
    ['endless', Number.POSITIVE_INFINITY],
    ['a function', () => 1],
    ['a date', new Date()],
    ['a bigint', 1n],
    ['a hole', Array.from({ length: 2 })],
    ['undefined inside', { a: undefined }],
    ['something with toJSON', new URL('http://localhost/')],
    ['a prototype', JSON.parse('{"a":{"__proto__":{"admin":true}}}')],
    ['too deep', JSON.parse(`${'['.repeat(34)}${']'.repeat(34)}`)],
    ['very deep', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['too large', 'x'.repeat(65_535)],
  ])('cannot be %s', (_, value: unknown) => {
    expect(isRefused(() => parsePreferenceValue(value))).toBe(true);
  });

  it('may have 64 KiB', () => {
    expect(isRefused(() => parsePreferenceValue('x'.repeat(65_534)))).toBe(false);
  });
});

describe('the key of a preference', () => {
  it.each(['theme', 'np.list.columns', 'a-b_c', '0', 'constructor', 'x'.repeat(128)])('can be %s', (key) => {
    expect(parsePreferenceKey(key)).toBe(key);
  });

  it.each(['', '.hidden', 'a b', 'a:b', 'a/b', 'ä', '__proto__', 'x'.repeat(129), 'a\n'])('cannot be %j', (key) => {
    expect(isRefused(() => parsePreferenceKey(key))).toBe(true);
  });
});
