import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './complete.ts';

describe('splitCommandLine', () => {
  it.each([
    ['np t a', ['np', 't', 'a']],
    ['np t ', ['np', 't', '']],
    ['np  "two words" \'$x\' a\\ b', ['np', 'two words', '$x', 'a b']],
    ['np --title="a', ['np', '--title=a']],
    ['np "" x', ['np', '', 'x']],
    ['np "a\\"b" x', ['np', 'a"b', 'x']],
    ['', ['']],
  ])('splits %s', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });
});
