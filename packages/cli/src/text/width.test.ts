import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusters, displayWidth, takeColumns, truncate } from './width.ts';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    ['naïve – “quoted”', 16],
    ['牛乳', 4],
    ['ｶﾞ', 2],
    ['한국', 4],
    ['e\u0301', 1],
    ['\u1112\u1161\u11ab', 2],
    ['🍞', 2],
    ['👩‍🚀', 2],
    ['👍🏽', 2],
    ['🇫🇷🇩🇪', 4],
    ['❤️', 2],
    ['❤', 1],
    ['1️⃣', 2],
    ['a\u200bb', 2],
    ['한', 2],
  ])('of %s is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('never cuts where Intl.Segmenter would not', () => {
    const piece = fc.constantFrom('a', 'é', 'e\u0301', '牛', '한', '👩‍🚀', '👍🏽', '🇫🇷', '❤️', '1️⃣', '👨‍👩‍👧‍👦', ' ', '–', '🏴󠁧󠁢󠁥󠁮󠁧󠁿');
    const segmenter = new Intl.Segmenter('en');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect([...clusters(text)].map((cluster) => cluster.text)).toEqual(
          [...segmenter.segment(text)].map(({ segment }) => segment),
        );
      }),
    );
  });
});

describe('truncate', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too …'],
    ['牛乳を買う', 6, '牛乳…'],
    ['👩‍🚀👩‍🚀', 3, '👩‍🚀…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('makes %s at most %i columns wide', (text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected);
  });

  it('fits any text into any width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(12), (text, columns) => {
        expect(displayWidth(truncate(text, columns))).toBeLessThanOrEqual(columns);
        expect(text.startsWith(takeColumns(text, columns))).toBe(true);
      }),
    );
  });
});
