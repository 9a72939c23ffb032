import { describe, expect, it } from 'vitest';
import { program } from '../../test/fixture/program.ts';
import type { Host } from '../host/host.ts';
import { splitLines } from '../host/stdin.ts';
import { defineCommand, defineProgram } from '../spec/command.ts';
import type { ProgramSpec } from '../spec/command.ts';
import { runProgram } from './main.ts';

interface Run {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly program?: ProgramSpec;
}

/** Runs the program in a host that records output. */
async function run(line: string, surroundings: Surroundings = {}): Promise<Run> {
  const { isTerminal = false, columns = 80, env = {} } = surroundings;
  const written = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof written) => ({
    isTerminal,
    columns,
    write: (data: string | Uint8Array) => {
      written[name] += String(data);
    },
  });
  const host: Host = {
    argv: line === '' ? [] : line.split(' '),
    env,
    stdin: {
      isTerminal,
      text: async () => 'from\nstdin',
      bytes: async () => new Uint8Array(),
      lines: () => splitLines((async function* () {})()),
    },
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
  };
  return { code: await runProgram(surroundings.program ?? program, host), ...written };
}

function refuseToLoad(): never {
  throw new Error('loaded');
}

describe('running a command', () => {
  it('gives it typed options and arguments, shared ones included, in groups and by aliases', async () => {
    const { code, stdout, stderr } = await run('--home /x t a -t A -d one -t B --priority 5 --json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      schema_version: 1,
      data: { tasks: [{ title: 'A', description: 'one' }, { title: 'B' }], priority: 5, home: '/x' },
    });
  });

  it('lets a group do something itself', async () => {
    expect((await run('task --status all')).stdout).toContain('牛乳を買う');
    expect(JSON.parse((await run('task --all-tags a,b --json')).stdout)).toMatchObject({ data: { allTags: 'a,b' } });
  });

  it('separates data from what is said about it', async () => {
    expect(await run('t a -t A')).toEqual({ code: 0, stdout: 'A\n', stderr: '1 added\n' });
  });

  it('reads standard input', async () => {
    expect((await run('behave count -')).stdout).toBe('10 characters, 2 lines\n');
  });

  it('answers null to a program when the command has nothing to say', async () => {
    const silent = defineProgram({ name: 'x', version: '1', summary: 'x', load: async () => ({ run: () => {} }) });
    expect((await run('--json', { program: silent })).stdout).toBe('{"schema_version":1,"data":null}\n');
    expect((await run('', { program: silent })).stdout).toBe('');
  });

  it('refuses a shared option that means nothing to the command, wherever it stands', async () => {
    const picky = defineProgram({
      name: 'x',
      version: '1',
      summary: 'x',
      sharedOptions: { home: { type: 'string', summary: 'Where' } },
      commands: [defineCommand({ name: 'a', summary: 'a', without: ['home'], load: async () => ({ run: () => {} }) })],
    });
    for (const line of ['a --home /x', '--home /x a']) {
      expect(await run(line, { program: picky })).toMatchObject({ code: 2, stderr: expect.stringContaining('--home') });
    }
    expect((await run('a --help', { program: picky })).stdout).not.toContain('--home');
  });

  it('does not load commands that are not run', async () => {
    const lazy = defineProgram({
      name: 'x',
      version: '1',
      summary: 'x',
      commands: [
        defineCommand({ name: 'a', summary: 'a', load: refuseToLoad }),
        defineCommand({ name: 'b', summary: 'b', load: async () => ({ run: () => {} }) }),
      ],
    });
    for (const line of ['b', '--help', 'a --help', 'help a', '--version', 'completion bash']) {
      expect(await run(line, { program: lazy })).toMatchObject({ code: 0 });
    }
    expect(await run('a', { program: lazy })).toMatchObject({ code: 1 });
  });
});

describe('errors', () => {
  it.each([
    ['failed', 1],
    ['usage', 2],
    ['not_found', 3],
    ['conflict', 4],
    ['unavailable', 5],
  ])('of kind %s end with %i', async (kind, code) => {
    expect((await run(`behave fail ${kind}`)).code).toBe(code);
  });

  it('are a message and a hint for people', async () => {
    expect(await run('behave fail conflict')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'error: It is conflict. [FIXTURE_CONFLICT]\nhint:  Ask for something else.\n',
    });
  });

  it('are a document for programs', async () => {
    const { stdout, stderr } = await run('behave fail conflict --json');
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({
      schema_version: 1,
      error: {
        code: 'FIXTURE_CONFLICT',
        message: 'It is conflict.',
        hint: 'Ask for something else.',
        details: { how: 'conflict' },
      },
    });
  });

  it('that nobody foresaw are INTERNAL, with the stack only when debugging', async () => {
    const quiet = await run('behave fail bug');
    expect(quiet.code).toBe(1);
    expect(quiet.stderr).toMatch(/^error: Unexpected error: undefined is not a function \[INTERNAL\]\nhint: /u);
    expect(quiet.stderr).not.toContain('fail.ts');
    const debugging = await run('behave fail bug', { env: { HOLDFAST_DEBUG: '1' } });
    expect(debugging.stderr).toMatch(/caused by: TypeError: undefined is not a function\n.*fail\.ts/su);
    const json = await run('behave fail bug --json', { env: { HOLDFAST_DEBUG: '1' } });
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: { code: 'INTERNAL', stack: expect.stringContaining('fail.ts') },
    });
  });

  it('cannot be mistaken for data that is bad news', async () => {
    expect(await run('behave fail bad-news')).toEqual({ code: 1, stdout: '2 problems\n', stderr: '' });
  });

  it.each([
    ['UNKNOWN_COMMAND', 'tsak', 'Did you mean "fixture task"?'],
    ['UNKNOWN_COMMAND', 'task ad', 'Did you mean "fixture task add"?'],
    ['UNKNOWN_COMMAND', 'task -- add2', 'Run "fixture task --help" to list the commands.'],
    ['UNKNOWN_COMMAND', 'help tsak', 'Did you mean "fixture task"?'],
    ['UNKNOWN_OPTION', 'task --stauts all', 'Did you mean --status?'],
    ['UNKNOWN_OPTION', '-t A task add', 'Run "fixture --help" for help.'],
    ['UNKNOWN_OPTION', 'task --status open add -t x', '"fixture task add --help"'],
    ['MISSING_OPTION', 'task add', '"fixture task add --help"'],
    ['MISSING_ARGUMENT', 'task show', '"fixture task show --help"'],
    ['UNEXPECTED_ARGUMENT', 'task show a b', 'quotes'],
    ['INVALID_ARGUMENT', 'behave print many', '--help'],
    ['INVALID_ARGUMENT', 'completion tcsh', 'bash, zsh, fish'],
    ['MISSING_COMMAND', 'behave', 'fail, print, wait, count, work'],
  ])('of usage: %s for "%s"', async (code, line, hint) => {
    const people = await run(line);
    expect(people.code).toBe(2);
    expect(people.stdout).toBe('');
    expect(people.stderr).toContain(`[${code}]`);
    expect(people.stderr).toContain(hint);
    const programs = await run(`--json ${line}`);
    expect(programs.code).toBe(2);
    expect(JSON.parse(programs.stderr)).toMatchObject({ schema_version: 1, error: { code } });
  });

  it('do not take --json for an option after the end of options', async () => {
    expect((await run('task show -- a --json')).stderr).toMatch(/^error:/u);
  });
});

describe('at a terminal', () => {
  const terminal = { isTerminal: true, columns: 40 };

  it('colours what is for people, unless told not to', async () => {
    expect((await run('task', terminal)).stdout).toContain('\u001b[32mopen\u001b[0m');
    expect((await run('task --no-color', terminal)).stdout).not.toContain('\u001b');
    expect((await run('task', { ...terminal, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await run('task', { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[32m');
    expect((await run('task --json', terminal)).stdout).not.toContain('\u001b');
    expect((await run('nonsense', terminal)).stderr).toContain('\u001b[31m');
  });

  it('fits tables to its width', async () => {
    expect((await run('task --no-color', terminal)).stdout).toBe(
      'ID  TITLE                         STATUS\n 1  牛乳を買う                    open\n20  Bread and butter, a very lo…  open\n',
    );
  });

  it('shows hostile data without obeying it', async () => {
    const { stdout } = await run('task show x --no-color', terminal);
    expect(stdout).toBe(String.raw`id     x
title  hostile \x1b[2J\x9b title
`);
    expect((await run('task show x')).stdout, 'also in a pipe').toBe(stdout);
    expect((await run('task show x --raw')).stdout).toContain('hostile \u001b[2J\u009b title');
    expect((await run('task show \u009b --json')).stdout).toBe(
      String.raw`{"schema_version":1,"data":{"id":"\u009b"}}` + '\n',
    );
    expect((await run('\u001b[2J --no-color', terminal)).stderr).not.toContain('\u001b');
  });

  it('knows whether somebody is there', async () => {
    const isInteractive = async (surroundings: Surroundings) => (await run('behave work', surroundings)).stdout;
    expect(await isInteractive(terminal)).toContain('done');
    const json = JSON.parse((await run('behave work --json', terminal)).stdout) as unknown;
    expect(json).toMatchObject({ data: { isInteractive: false } });
  });
});
