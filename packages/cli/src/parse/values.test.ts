import { isHoldfastError } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import type { ArgumentSpec, OptionSpecs } from '../spec/option.ts';
import { tokenize } from './tokens.ts';
import { argumentValues, givenOptions, optionValues } from './values.ts';

const options: OptionSpecs = {
  title: { type: 'string', summary: '', short: 't', multiple: true },
  description: { type: 'string', summary: '', short: 'd' },
  limit: { type: 'integer', summary: '', default: 10, min: 1, max: 100 },
  ratio: { type: 'number', summary: '' },
  status: { type: 'string', summary: '', choices: ['open', 'closed'], env: 'STATUS' },
  all: { type: 'boolean', summary: '' },
  color: { type: 'boolean', summary: '', negatable: true },
};

function read(
  words: readonly string[],
  env: Record<string, string> = {},
  specs = options,
): Readonly<Record<string, unknown>> {
  return optionValues(givenOptions(tokenize(words, specs), specs, 'app'), specs, env, 'app');
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isHoldfastError(error)) return error.code;
    throw error;
  }
  return 'no error';
}

describe('options', () => {
  it('fills in defaults, the environment and empty lists', () => {
    expect(read([])).toEqual({ title: [], limit: 10, all: false, color: true });
    expect(read([], { STATUS: 'open' })).toMatchObject({ status: 'open' });
    expect(read(['--status', 'closed'], { STATUS: 'open' })).toMatchObject({ status: 'closed' });
  });

  it('reads values of every type, the last of a single option winning', () => {
    const words = ['-t', 'A', '-t', 'B', '--limit', '5', '--limit', '6', '--ratio', '-1.5e2', '--all', '--no-color'];
    expect(read(words)).toMatchObject({ title: ['A', 'B'], limit: 6, ratio: -150, all: true, color: false });
  });

  it('gives an option written without a value its bare value, and never a following option', () => {
    const specs: OptionSpecs = { tags: { type: 'string', summary: '', bare: '', multiple: true }, ...options };
    expect(read(['--tags'], {}, specs)).toMatchObject({ tags: [''] });
    expect(read(['--tags', 'a,b', '--tags', '--all'], {}, specs)).toMatchObject({ tags: ['a,b', ''], all: true });
  });

  it.each([
    ['UNKNOWN_OPTION', ['--titel', 'x']],
    ['UNKNOWN_OPTION', ['-5']],
    ['MISSING_VALUE', ['--description']],
    ['MISSING_VALUE', ['-t', '-d', 'text']],
    ['MISSING_VALUE', ['-t', '--']],
    ['UNEXPECTED_ARGUMENT', ['--all=yes']],
    ['INVALID_ARGUMENT', ['--limit', 'ten']],
    ['INVALID_ARGUMENT', ['--limit', '1.5']],
    ['INVALID_ARGUMENT', ['--limit', '9007199254740993']],
    ['INVALID_ARGUMENT', ['--limit', '0']],
    ['INVALID_ARGUMENT', ['--limit', '101']],
    ['INVALID_ARGUMENT', ['--limit', '']],
    ['INVALID_ARGUMENT', ['--ratio', '0x10']],
    ['INVALID_ARGUMENT', ['--ratio', 'Infinity']],
    ['INVALID_ARGUMENT', ['--status', 'opne']],
  ])('refuses with %s: %s', (code, words) => {
    expect(codeOf(() => read(words))).toBe(code);
  });

  it('takes a value that begins with a dash unless it is an option of the command', () => {
    expect(read(['-d', '- a list'])).toMatchObject({ description: '- a list' });
    expect(read(['-d', '-'])).toMatchObject({ description: '-' });
    expect(read(['--description=-t'])).toMatchObject({ description: '-t' });
  });

  it('demands what is required, also from the environment', () => {
    const specs: OptionSpecs = { key: { type: 'string', summary: '', required: true, env: 'KEY' } };
    expect(codeOf(() => read([], {}, specs))).toBe('MISSING_OPTION');
    expect(read([], { KEY: 'k' }, specs)).toEqual({ key: 'k' });
    expect(codeOf(() => read([], { STATUS: 'sideways' }))).toBe('INVALID_ARGUMENT');
  });
});

const readArguments = (words: readonly string[], specs: readonly ArgumentSpec[]) =>
  argumentValues(tokenize(words, {}), specs, 'app');

describe('arguments', () => {
  const file: ArgumentSpec = { name: 'file', summary: '' };
  const count: ArgumentSpec = { name: 'count', summary: '', type: 'integer', optional: true };
  const ids: ArgumentSpec = { name: 'ids', summary: '', variadic: true };

  it('gives each its value', () => {
    expect(readArguments(['a', '3'], [file, count])).toEqual({ file: 'a', count: 3 });
    expect(readArguments(['a'], [file, count])).toEqual({ file: 'a' });
    expect(readArguments(['a', 'b', 'c'], [file, ids])).toEqual({ file: 'a', ids: ['b', 'c'] });
    expect(readArguments(['--', '-5'], [file])).toEqual({ file: '-5' });
    expect(readArguments([], [{ ...ids, optional: true }])).toEqual({ ids: [] });
  });

  it.each([
    ['MISSING_ARGUMENT', [], [file]],
    ['MISSING_ARGUMENT', ['a'], [file, ids]],
    ['UNEXPECTED_ARGUMENT', ['a', 'b'], [file]],
    ['UNEXPECTED_ARGUMENT', ['a'], []],
    ['INVALID_ARGUMENT', ['a', 'b'], [file, count]],
  ])('refuses with %s: %s', (code, words, specs) => {
    expect(codeOf(() => readArguments(words, specs))).toBe(code);
  });
});
