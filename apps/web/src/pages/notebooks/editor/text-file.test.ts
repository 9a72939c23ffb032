import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mergeLines } from './text-file.ts';

const merge = (base: string, mine: string, theirs: string): string | undefined =>
  mergeLines(base.split('\n'), mine.split('\n'), theirs.split('\n'))?.join('\n');

describe('a merge of two changes', () => {
  it('holds both, also in neighbouring lines and in other words of one line', () => {
    expect(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nC')).toBe('A\nb\nC');
    expect(merge('a\nb', 'A\nb', 'a\nB')).toBe('A\nB');
    expect(merge('the cat sat', 'the dog sat', 'the cat stood')).toBe('the dog stood');
    expect(merge('a\nb\nc', 'a\nc', 'a\nb\nc\nd')).toBe('a\nc\nd');
  });

  it('takes once what both did alike', () => {
    expect(merge('a\nb', 'a\nnew\nb', 'a\nnew\nb')).toBe('a\nnew\nb');
  });

  it('is left to a person when both changed the same word or wrote in the same place', () => {
    expect(merge('a cat', 'a dog', 'a cow')).toBeUndefined();
    expect(merge('a', 'a\nmine', 'a\ntheirs')).toBeUndefined();
    expect(merge('a b', 'a', 'a c')).toBeUndefined();
  });

  it('is the other side when one did nothing, whatever the text is', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'b b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(mergeLines(base, other, base)).toEqual(other);
        expect(mergeLines(base, base, other)).toEqual(other);
        expect(mergeLines(base, other, other)).toEqual(other);
      }),
    );
  });
});
