import { expect, it } from 'vitest';
import { matchName, parseNamePattern } from './name-pattern.ts';

const read = (pattern: string, text: string): unknown => {
  const found = matchName(parseNamePattern(pattern), text);
  return found === undefined ? undefined : Object.fromEntries(found);
};

it.each([
  ['{author} - {title}', 'Jane Austen - Emma', { author: 'Jane Austen', title: 'Emma' }],
  ['{title} ({year})', 'Emma  (1815)', { title: 'Emma', year: '1815' }],
  ['{series} {sequence} - {title}', 'Dune 1 - Dune Messiah', { series: 'Dune', sequence: '1', title: 'Dune Messiah' }],
  ['{author}/{skip} - {title}', 'Ann/01 - Old - New', { author: 'Ann', title: 'Old - New' }],
  [
    '{series} {sequence} - {title}',
    'The Wheel of Time 01 - Eye',
    { series: 'The Wheel of Time', sequence: '01', title: 'Eye' },
  ],
  ['[{narrator}] {title}', '[Rita Reader] Emma', { narrator: 'Rita Reader', title: 'Emma' }],
])('%s reads %s', (pattern, text, fields) => {
  expect(read(pattern, text)).toEqual(fields);
});

it.each([
  ['{author} - {title}', 'Emma'],
  ['{title} ({year})', 'Emma (soon)'],
  ['{sequence}. {title}', 'Emma. A Novel'],
  ['x{title}', 'Emma'],
])('%s does not match %s', (pattern, text) => {
  expect(read(pattern, text)).toBeUndefined();
});

it('takes no time for a text that almost matches', () => {
  const many = '{author} {title} {series} {narrator} {subtitle} {year}x';
  expect(read(many, 'a '.repeat(1_000))).toBeUndefined();
});

it.each(['', 'Emma', '{title}{year}', '{title} {title}', '{constructor}', '{skip}'])('%s is no pattern', (pattern) => {
  expect(() => parseNamePattern(pattern)).toThrow(expect.objectContaining({ code: 'PATTERN_INVALID' }));
});
