import { describe, expect, it } from 'vitest';
import { optionBatches } from './batches.ts';

const given = (text: string) => text.split(' ').map((pair) => ({ name: pair.slice(0, 1), value: pair.slice(1) }));

describe('optionBatches', () => {
  it.each([
    [
      't1 d1 t2 d2',
      [
        { t: '1', d: '1' },
        { t: '2', d: '2' },
      ],
    ],
    [
      'd1 t1 d2 t2',
      [
        { d: '1', t: '1' },
        { d: '2', t: '2' },
      ],
    ],
    ['t1 t2 d2', [{ t: '1' }, { t: '2', d: '2' }]],
    ['t1 d1 d2', [{ t: '1', d: '1' }, { d: '2' }]],
    ['x9 t1 x9 d1', [{ t: '1', d: '1' }]],
    [
      't1 a1 a2 t2 a3',
      [
        { t: '1', a: ['1', '2'] },
        { t: '2', a: ['3'] },
      ],
    ],
    ['x9', []],
  ])('groups %s', (text, batches) => {
    expect(optionBatches<{ t: string; d: string; a: string[] }>(given(text), ['t', 'd'], ['a'])).toEqual(batches);
  });
});
