import { describe, expect, it } from 'vitest';

import { kindOf, parseProperty, formatProperty } from './property-value.ts';

describe('a property in a field', () => {
  it.each([
    ['text', 'a, b'],
    ['number', -2.5],
    ['date', '2026-11-15'],
    ['list', ['a', 'b c']],
    ['boolean', true],
  ] as const)('is of the kind %s and comes back as it was', (kind, value) => {
    expect(kindOf(value)).toBe(kind);
    expect(parseProperty(formatProperty(value), kind)).toEqual(value);
  });

  it('is left alone when it is more than a field can hold', () => {
    expect(kindOf({ a: 1 })).toBe('other');
    expect(kindOf([{ a: 1 }])).toBe('other');
  });

  it('is not taken when it cannot be meant', () => {
    expect(parseProperty('twelve', 'number')).toBeUndefined();
    expect(parseProperty('soon', 'date')).toBeUndefined();
    expect(parseProperty(' , ', 'list')).toEqual([]);
  });
});
