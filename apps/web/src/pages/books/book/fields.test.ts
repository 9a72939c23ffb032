import { describe, expect, it } from 'vitest';

import { readValue, valueText } from './fields.ts';

describe('fields of a book in a form', () => {
  it('are read as they were meant', () => {
    expect(readValue('authors', ' Jane Austen \n\nAda\n')).toEqual(['Jane Austen', 'Ada']);
    expect(readValue('series', 'Dune #1.5\nOmnibus #1-3\nAlone')).toEqual([
      { name: 'Dune', sequence: '1.5' },
      { name: 'Omnibus', sequence: '1-3' },
      { name: 'Alone', sequence: null },
    ]);
    expect([readValue('year', '1965'), readValue('year', ' '), readValue('subtitle', '')]).toEqual([1965, null, null]);
    expect(readValue('description', 'One\n\nTwo ')).toBe('One\n\nTwo');
  });

  it('are shown in one line, whatever they are', () => {
    expect([null, [], 'Emma', 1815, ['a', 'b'], [{ name: 'Dune', sequence: '2' }]].map(valueText)).toEqual([
      '(empty)',
      '(empty)',
      'Emma',
      '1815',
      'a, b',
      'Dune #2',
    ]);
  });
});
