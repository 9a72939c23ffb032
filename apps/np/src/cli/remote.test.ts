import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger, createServer, listen, type Listening, type Principal } from '@holdfast/http';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { splitLines } from '../../../../packages/cli/src/host/stdin.ts';
import { runProgram } from '../../../../packages/cli/src/program/main.ts';
import { npApp } from '../http/index.ts';
import { type Np, openNp } from '../service/np.ts';
import { program } from './program.ts';

const writer: Principal = {
  userId: 'u',
  name: 'writer',
  permissions: new Set(['app:np:read', 'app:np:write']),
  kind: 'token',
};

let folder: string;
let np: Np;
let listening: Listening;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-np-remote-')));
  mkdirSync(join(folder, 'project', 'src'), { recursive: true });
  np = await openNp({ path: join(folder, 'server', 'np.db') });
  const server = createServer({
    apps: [npApp(np)],
    authenticate: ({ headers }) => (headers.get('authorization') === 'Bearer secret' ? writer : undefined),
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
  });
  listening = await listen(server, { port: 0 });
});
afterAll(async () => {
  await listening.close();
  await np.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    isTerminal: false,
    columns: 80,
    write: (data: string | Uint8Array) => {
      written[name] += String(data);
    },
  });
  const stdin = {
    isTerminal: false,
    text: async () => 'typed\n',
    bytes: async () => new Uint8Array(),
    lines: () => splitLines((async function* () {})()),
  };
  const code = await runProgram(program, { argv, env, stdin, stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...written };
}

const dir = () => join(folder, 'project', 'src');
const here = (argv: readonly string[]) =>
  run([...argv, '--dir', dir()], { NP_DIR: join(folder, 'local'), NP_ACTOR: 'ada' });
const there = (argv: readonly string[], token = 'secret') =>
  run([...argv, '--dir', dir(), '--server', listening.url], { HOLDFAST_TOKEN: token, NP_ACTOR: 'ada', NP_DIR: folder });

/** Hides what differs between any two plans: ids, times and, in exports, the command that made a change. */
function normal({ code, stdout, stderr }: Ran): Ran {
  const hide = (text: string): string =>
    text
      .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu, 'SID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?|\d\d:\d\d(:\d\d)?/gu, 'TIME')
      .replaceAll(/"cmd": ?"(\\"|[^"])*"/gu, '"cmd":"CMD"')
      .replaceAll(/"?\b[0-9a-f]{6,64}\b"?/gu, 'ID')
      .replaceAll(/"revision": ?\d+/gu, '"revision":N');
  return { code, stdout: hide(stdout), stderr: hide(stderr) };
}

/** Runs the same command on both plans. */
async function both(...argv: string[]): Promise<Ran> {
  const [local, remote] = [await here(argv), await there(argv)];
  expect({ argv, ...normal(remote) }).toEqual({ argv, ...normal(local) });
  return remote;
}

async function idOf(title: string, ask: typeof here): Promise<string> {
  const { stdout } = await ask(['t', '--json']);
  const { data } = JSON.parse(stdout) as { data: { tasks: readonly { id: string; title: string }[] } };
  return data.tasks.find((task) => task.title === title)?.id ?? '';
}

/** Like `both`, for a task that has a different id in each plan. */
async function bothOn(title: string, argv: (id: string) => string[]): Promise<void> {
  const local = await here(argv(await idOf(title, here)));
  const remote = await there(argv(await idOf(title, there)));
  expect({ title, ...normal(remote) }).toEqual({ title, ...normal(local) });
}

it('the same commands do and print the same with a plan on a server as with a local plan', async () => {
  expect((await both('p')).code).not.toBe(0);
  await both('s');
  await both('s');
  await both('g', 's', '-t', 'Ship', '-d', 'It');
  await both('g', 's', '-t', 'Again');
  await both('t', 'a', '-t', 'One', '-d', 'x', '-t', 'Two', '-d', '-', '-t', 'Three');
  await bothOn('One', (id) => ['t', 'u', '-i', id, '-s', 'in_progress', '-n', 'begun']);
  await bothOn('Two', (id) => ['t', 'claim', id, '--for', '30m', '--json']);
  await bothOn('Two', (id) => ['t', 'release', id]);
  await bothOn('Three', (id) => ['t', 'mv', id, '--to', '1']);
  await bothOn('Three', (id) => ['t', 'rm', id]);
  await bothOn('Three', (id) => ['t', 'rm', id, '-r', 'not needed']);
  await both('undo');
  await both('t', 'u', '-i', 'ffffff', '-s', 'completed');
  await both('t', 'u', '-i', 'zz');
  for (const words of ['p', 'r', 't', 't -s pending', 'ready', 'find one', 'status', 'status --line', 'g', 'prime']) {
    await both(...words.split(' '));
  }
  for (const words of [
    'log',
    'log -n 2',
    'log --after 3',
    'log --all',
    'ls',
    'p --json',
    'export',
    'export --format json',
  ]) {
    await both(...words.split(' '));
  }
  await both('a', '-r', 'done');
  await both('p');
  await both('a', '--undo');
  await both('ls', '--json');
});

it('the plan on the server is independent of local plans, and is found from below its directory', async () => {
  const { stdout } = await there(['p', '--json']);
  const { session } = (JSON.parse(stdout) as { data: { session: { sid: string; dir_path: string } } }).data;
  expect(session.dir_path).toBe(dir());
  const fromBelow = await run(['p', '--json', '--session', session.sid.slice(-8), '--server', listening.url], {
    HOLDFAST_TOKEN: 'secret',
  });
  expect(fromBelow.code).toBe(0);
  mkdirSync(join(dir(), 'deep'));
  const deep = await run(['p', '--json', '--dir', join(dir(), 'deep')], {
    HOLDFAST_TOKEN: 'secret',
    NP_SERVER: `${listening.url}/`,
  });
  expect(deep.stdout).toContain(session.sid);
});

it.each([
  ['a wrong token', () => there(['p'], 'wrong'), /UNAUTHENTICATED[^]*HOLDFAST_TOKEN/u, 2],
  ['a server that does not answer', () => run(['ls', '--server', 'http://127.0.0.1:9'], {}), /SERVER_UNREACHABLE/u, 5],
  ['an address with a password', () => run(['ls', '--server', 'http://a:b@localhost'], {}), /INVALID_ARGUMENT/u, 2],
  ['a command for local plans', () => there(['log', '--follow']), /NEEDS_LOCAL_PLAN/u, 2],
  ['the import of a file', () => there(['import', '-']), /IMPORT_INVALID/u, 2],
  ['agents', () => there(['mcp']), /NEEDS_LOCAL_PLAN/u, 2],
])('%s is refused with a code', async (_, ask, code, exit) => {
  const ran = await ask();
  expect(ran).toMatchObject({ code: exit, stderr: expect.stringMatching(code) as string });
});
