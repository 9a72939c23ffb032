import {
  flag,
  integer,
  list as listField,
  nullable,
  object,
  operationsOf,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
  withDefault,
} from '@holdfast/operation';
import { describe, expect, it } from 'vitest';

import type { Host } from '../host/host.ts';
import { splitLines } from '../host/stdin.ts';
import { toolsFor } from '../mcp/bind-tool.ts';
import { programProblems } from '../program/problems.ts';
import { runProgram } from '../program/main.ts';
import { defineProgram } from '../spec/command.ts';
import { commandsFor } from './bind-command.ts';

type Calls = unknown[];
const defineOperation = operationsOf<Calls>();

const edit = defineOperation({
  name: 'task.edit',
  summary: 'Change a task',
  permission: 'app:test:write',
  input: {
    ids: optionalList(text('Task id')),
    project: optional(text('Project')),
    title: optional(text('New title')),
    parent: optional(nullable(text('Epic it belongs to', { label: 'task' }))),
    depends_on: optional(optionalList(text('Task that must finish first')).of),
    urgent: flag('Do it first'),
    version: optional(integer('Only at this version')),
    status: optional(text('Status')),
    roles: withDefault(listField(text('Role'), { min: 1 }), ['user']),
  },
  output: object({ title: text(), count: integer() }),
  run: async () => (calls, input) => {
    calls.push(input);
    return { title: input.title ?? '', count: input.ids.length, internal: true };
  },
});

const list = defineOperation({
  name: 'task.list',
  summary: 'List tasks',
  permission: 'app:test:read',
  input: { ...pageFields },
  output: pageOf(object({ id: text() })),
  run:
    async () =>
    (_calls, { limit }) => ({ data: [{ id: `first of ${limit}` }], next_cursor: 'more' }),
});

const calls: Calls = [];
const command = commandsFor<Calls>({
  shared: { project: { type: 'string', summary: 'Project', short: 'p' } },
  open: async () => (_context, use) => use(calls),
});

const program = defineProgram({
  name: 'tasks',
  version: '1.0.0',
  summary: 'Tasks',
  sharedOptions: { project: { type: 'string', summary: 'Project', short: 'p' } },
  commands: [
    command(edit, {
      name: 'edit',
      arguments: ['ids'],
      short: { title: 't' },
      flags: { depends_on: 'after' },
      stdin: 'title',
      omit: ['status'],
      print: ({ title, count }, page) => page.line(`${count} ${title}`),
      exit: ({ count }) => (count === 0 ? 3 : undefined),
    }),
    command(edit, { name: 'done', arguments: ['ids'], fixed: { status: 'done' }, print: () => {} }),
    command(list, {
      name: 'list',
      defaults: { limit: 7 },
      print: ({ data }, page) => page.lines(data.map(({ id }) => id)),
    }),
  ],
});

async function run(...argv: string[]): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    isTerminal: false,
    columns: 80,
    write: (data: string | Uint8Array) => {
      written[name] += String(data);
    },
  });
  const host: Host = {
    argv,
    env: {},
    stdin: {
      isTerminal: false,
      text: async () => 'typed\n',
      bytes: async () => new Uint8Array(),
      lines: () => splitLines((async function* () {})()),
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  };
  return { code: await runProgram(program, host), ...written };
}

async function given(...argv: string[]): Promise<unknown> {
  calls.length = 0;
  const { code, stderr } = await run(...argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return calls[0];
}

describe('a command bound to an operation', () => {
  it('takes fields from arguments, flags, shared options and standard input', async () => {
    expect(await given('edit', 'a', 'b', '-t', '-', '--after', 'c', '--urgent', '-p', 'web', '--version', '4')).toEqual(
      {
        ids: ['a', 'b'],
        title: 'typed',
        depends_on: ['c'],
        urgent: true,
        project: 'web',
        version: 4,
        roles: ['user'],
      },
    );
  });

  it('leaves out what was not given, and clears a nullable field with an empty word', async () => {
    const expected = { ids: ['a'], parent: null, urgent: false, roles: ['user'] };
    expect(await given('edit', 'a', '--parent', '')).toEqual(expected);
  });

  it('stands for the values that it fixes', async () => {
    expect(await given('done', 'a')).toMatchObject({ ids: ['a'], status: 'done' });
    expect((await run('done', 'a', '--status', 'x')).code).toBe(2);
  });

  it('prints only named fields as JSON, and decides the exit code', async () => {
    expect(JSON.parse((await run('edit', 'a', '--json')).stdout)).toEqual({
      schema_version: 1,
      data: { title: '', count: 1 },
    });
    expect((await run('edit')).code).toBe(3);
  });

  it('watches signals only if its operation reads the signal of the caller', async () => {
    const watched = process.listenerCount('SIGINT');
    await run('edit', 'a');
    expect(process.listenerCount('SIGINT')).toBe(watched);
  });

  it('prints a page with its cursor beside the data', async () => {
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({
      schema_version: 1,
      data: [{ id: 'first of 7' }],
      next_cursor: 'more',
    });
    expect((await run('list', '--limit', '5000')).stdout).toBe('first of 1000\n');
  });

  it('describes itself without mistakes', async () => {
    expect(programProblems(program)).toEqual([]);
    const { stdout } = await run('edit', '--help');
    expect(stdout).toContain('Change a task');
    expect(stdout).toContain('--parent <task>');
    expect(stdout).not.toContain('--status');
  });
});

describe('a tool bound to an operation', () => {
  const tool = toolsFor({ app: calls, caller: { name: 'agent' }, program: 'tasks mcp' });

  it('offers the fields that it does not omit, and reads null as left out', async () => {
    const bound = tool(edit, { name: 'edit', omit: ['version', 'urgent', 'roles'], fixed: { status: 'ready' } });
    expect(Object.keys(bound.inputSchema['properties'] as object)).toEqual([
      'ids',
      'project',
      'title',
      'parent',
      'depends_on',
    ]);
    calls.length = 0;
    expect(await bound.call({ ids: ['a'], title: null, parent: null })).toBe('{"title":"","count":1}');
    expect(calls).toEqual([{ ids: ['a'], parent: null, urgent: false, status: 'ready', roles: ['user'] }]);
  });

  it('refuses wrong input with a code', async () => {
    await expect(tool(edit, { name: 'edit' }).call({ ids: 'a' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
