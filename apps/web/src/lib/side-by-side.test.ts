import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { folded, sideBySide, type SideRow } from './side-by-side.ts';

function textOf(rows: readonly SideRow[], side: 'left' | 'right'): readonly string[] {
  return rows.flatMap((row) => (row[side] === undefined ? [] : [row[side].pieces.map(({ text }) => text).join('')]));
}

describe('two versions beside each other', () => {
  it('mark the words that differ, and nothing else', () => {
    const rows = sideBySide('one\nthe old word\nend\n', 'one\nthe new word\nend\nmore\n');
    expect(rows.map(({ isSame }) => isSame)).toEqual([true, false, true, false]);
    expect(rows[1]?.left?.pieces.filter(({ isChanged }) => isChanged)).toEqual([{ text: 'old', isChanged: true }]);
    expect(rows[1]?.right?.pieces.filter(({ isChanged }) => isChanged)).toEqual([{ text: 'new', isChanged: true }]);
    expect(rows[3]).toEqual({
      isSame: false,
      left: undefined,
      right: { line: 4, pieces: [{ text: 'more', isChanged: true }] },
    });
  });

  it('hold every line of both, in order and with its number', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'a b', 'c d', '')).map((lines) => lines.map((each) => `${each}x`));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = sideBySide(left.join('\n'), right.join('\n'));
        expect(textOf(rows, 'left')).toEqual(left);
        expect(textOf(rows, 'right')).toEqual(right);
        const lines = rows.flatMap((row) => (row.right === undefined ? [] : [row.right.line]));
        expect(lines).toEqual(right.map((_line, at) => at + 1));
      }),
    );
  });

  it('fold what is far from any change', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const rows = folded(sideBySide(before.join('\n'), before.with(10, 'other').join('\n')));
    expect(rows).toHaveLength(9);
    expect(rows[0]).toMatchObject({ hidden: { length: 7 } });
    expect(rows.at(-1)).toMatchObject({ hidden: { length: 6 } });
  });
});
