import { describe, expect, it } from 'vitest';
import { program } from '../../test/fixture/program.ts';
import type { CommandSpec } from '../spec/command.ts';
import { programProblems } from './problems.ts';

const text = { type: 'string', summary: '' } as const;
const load = async () => ({ run: () => {} });

function problemsOf(command: Partial<CommandSpec>): readonly string[] {
  return programProblems({
    name: 'x',
    version: '1',
    summary: '',
    commands: [{ name: 'c', summary: '', load, ...command }],
  });
}

describe('programProblems', () => {
  it('finds none in a sound program', () => {
    expect(programProblems(program)).toEqual([]);
  });

  it.each<[string, Partial<CommandSpec>]>([
    ['x c: has neither an action nor commands', { load: undefined as never }],
    ['x: two commands have the name help', { aliases: ['help'] }],
    ['x c: two options have the name -h', { options: { host: { ...text, short: 'h' } } }],
    ['x c: two options have the name --no-color', { options: { noColor: { type: 'boolean', summary: '' } } }],
    ['x c: --a has a short form that is not a single letter or digit', { options: { a: { ...text, short: 'aa' } } }],
    ['x c: --a is required and has a default', { options: { a: { ...text, default: '', required: true } } }],
    [
      'x c: --a has a default that is not one of its choices',
      { options: { a: { ...text, default: 'x', choices: ['y'] } } },
    ],
    ['x c: --a has a default of the wrong type', { options: { a: { ...text, default: 1 } } }],
    ['x c: --no-a cannot be negated, because it takes a value', { options: { a: { ...text, negatable: true } } }],
    [
      'x c: [a] is optional but precedes a required argument',
      {
        arguments: [
          { name: 'a', summary: '', optional: true },
          { name: 'b', summary: '' },
        ],
      },
    ],
    [
      'x c: <a...> takes all remaining arguments, so nothing may follow it',
      {
        arguments: [
          { name: 'a', summary: '', variadic: true },
          { name: 'b', summary: '' },
        ],
      },
    ],
  ])('finds: %s', (problem, command) => {
    expect(problemsOf(command)).toEqual([problem]);
  });

  it('keeps the options that every program has', () => {
    const own = { name: 'x', version: '1', summary: '', load, sharedOptions: { json: text } };
    expect(programProblems(own)).toContain('x: --json is reserved for a common option');
  });
});
