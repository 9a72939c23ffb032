import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from './tokens.ts';
import type { OptionSpecs } from '../spec/option.ts';

const options: OptionSpecs = {
  title: { type: 'string', summary: '', short: 't' },
  allTags: { type: 'string', summary: '' },
  limit: { type: 'integer', summary: '', short: 'n' },
  all: { type: 'boolean', summary: '', short: 'a' },
  color: { type: 'boolean', summary: '', negatable: true },
};

const brief = (words: readonly string[]) =>
  tokenize(words, options).map((token) => (token.kind === 'option' ? [token.name, token.value] : token.value));

describe('tokenize', () => {
  it('keeps repeated options in the order given, across different options', () => {
    expect(tokenize(['-t', 'A', '-n', '1', 'x', '--title=B'], options)).toEqual([
      { kind: 'option', flag: '-t', name: 'title', value: 'A', isAttached: false },
      { kind: 'option', flag: '-n', name: 'limit', value: '1', isAttached: false },
      { kind: 'argument', value: 'x', index: 4 },
      { kind: 'option', flag: '--title', name: 'title', value: 'B', isAttached: true },
    ]);
  });

  it('reads every form of an option', () => {
    expect(brief(['-tA'])).toEqual([['title', 'A']]);
    expect(brief(['-an', '5'])).toEqual([
      ['all', undefined],
      ['limit', '5'],
    ]);
    expect(brief(['-an5'])).toEqual([
      ['all', undefined],
      ['limit', '5'],
    ]);
    expect(brief(['--all-tags', 'a,b'])).toEqual([['allTags', 'a,b']]);
    expect(brief(['--title='])).toEqual([['title', '']]);
    expect(brief(['--no-color'])).toEqual([['color', undefined]]);
    expect(brief(['-', '--', '-t', '--'])).toEqual(['-', '-t', '--']);
    expect(brief(['--unknown', 'x'])).toEqual([[undefined, undefined], 'x']);
    expect(brief(['-t'])).toEqual([['title', undefined]]);
  });

  it('a hyphen among short options is an option that is not known', () => {
    expect(tokenize(['-é-'], options).map((token) => token.kind)).toEqual(['option', 'option']);
  });

  it('agrees with parseArgs on any words', () => {
    const word = fc.oneof(
      fc.constantFrom(
        '-t',
        '--title',
        '--title=',
        '--title=x',
        '-n',
        '-n5',
        '-a',
        '-at',
        '-ta',
        '-xa',
        '--all',
        '--no-color',
      ),
      fc.constantFrom(
        '-',
        '--',
        '---',
        '--=',
        '--=x',
        '-=',
        '--all=1',
        '--unknown',
        '--unknown=1',
        '-5',
        'x',
        '',
        '-t=x',
        '-é',
      ),
      // parseArgs treats the last hyphen of '-x-' as the end of options; here it is an unknown option.
      fc.string({ maxLength: 4 }).filter((text) => !/^-[^-].*-/s.test(text)),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(tokenize(words, options)).toEqual(tokensOfParseArgs(words));
      }),
      { numRuns: 2_000 },
    );
  });
});

function tokensOfParseArgs(words: readonly string[]): unknown {
  const nameByWord: Readonly<Record<string, string>> = {
    title: 'title',
    'all-tags': 'allTags',
    limit: 'limit',
    all: 'all',
    color: 'color',
    'no-color': 'color',
  };
  const { tokens } = parseArgs({
    args: [...words],
    options: {
      title: { type: 'string', short: 't' },
      'all-tags': { type: 'string' },
      limit: { type: 'string', short: 'n' },
      all: { type: 'boolean', short: 'a' },
      color: { type: 'boolean' },
      'no-color': { type: 'boolean' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens.flatMap((token): readonly unknown[] => {
    if (token.kind === 'option-terminator') return [];
    if (token.kind === 'positional') return [{ kind: 'argument', value: token.value, index: token.index }];
    const name = Object.hasOwn(nameByWord, token.name) ? nameByWord[token.name] : undefined;
    const isAttached = token.inlineValue ?? false;
    return [{ kind: 'option', flag: token.rawName, name, value: token.value, isAttached }];
  });
}
