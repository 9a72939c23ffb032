import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { diffLines, folded, patchFiles, patchRows, pathDiff, sideBySide, type SideRow } from './diff.ts';

describe('the difference of two texts', () => {
  it('names the lines that came and went', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
    ]);
  });

  it('holds both texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const without = (kind: string): string =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
      }),
    );
  });
});

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

it('a patch is read by files, without what only git needs', () => {
  const patch = [
    'diff --git a/a b.txt b/a b.txt',
    'index 1..2 100644',
    '--- a/a b.txt',
    '+++ b/a b.txt',
    '@@ -1 +1,2 @@',
    ' first',
    '+second',
    'diff --git a/image.png b/image.png',
    'Binary files differ',
    '',
  ].join('\n');
  expect(patchFiles(patch)).toEqual([
    {
      path: 'a b.txt',
      lines: [
        { kind: 'hunk', text: '@@ -1 +1,2 @@' },
        { kind: 'same', text: 'first' },
        { kind: 'added', text: 'second' },
      ],
    },
    { path: 'image.png', lines: [] },
  ]);
  expect(patchFiles('')).toEqual([]);
});

it('a patch has the numbers of its lines in both versions, and marks the words that differ', () => {
  const [file] = patchFiles(
    ['diff --git a/x b/x', '--- a/x', '+++ b/x', '@@ -4,3 +4,3 @@', ' same', '-old word', '+new word', ' end', ''].join(
      '\n',
    ),
  );
  const rows = patchRows(file?.lines ?? []);
  expect(rows[0]).toBe('@@ -4,3 +4,3 @@');
  expect(rows.slice(1).map((row) => typeof row !== 'string' && [row.left?.line, row.right?.line])).toEqual([
    [4, 4],
    [5, 5],
    [6, 6],
  ]);
  expect(rows[2]).toMatchObject({
    left: { pieces: [{ text: 'old', isChanged: true }, { text: ' word' }] },
    right: { pieces: [{ text: 'new', isChanged: true }, { text: ' word' }] },
  });
});

it('two paths show what is different between them, part by part', () => {
  const { from, to } = pathDiff('Emma/01.mp3', 'Jane Austen/Emma/01.mp3');
  expect(from).toEqual([
    { text: 'Emma/', isChanged: false },
    { text: '01.mp3', isChanged: false },
  ]);
  expect(to).toEqual([
    { text: 'Jane Austen/', isChanged: true },
    { text: 'Emma/', isChanged: false },
    { text: '01.mp3', isChanged: false },
  ]);
  const renamed = pathDiff('a/x.mp3', 'b/x.mp3');
  expect([renamed.from[0], renamed.to[0]]).toEqual([
    { text: 'a/', isChanged: true },
    { text: 'b/', isChanged: true },
  ]);
});
