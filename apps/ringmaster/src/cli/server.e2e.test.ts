import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { dataOf, home, run } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import { knownWorkspaces } from '../adapters/workspace.ts';
import { addTask, fakeWorker, git, makeProject, pidIn, type Run, startRun, until } from '../../test/running.ts';

const holdfast = resolve(import.meta.dirname, '../../../../dist/bin/holdfast');
const LEASE_SECONDS = 4;

let project = '';
let remote = '';
let url = '';
let server: ChildProcess | undefined;
let token = '';

/** Starts the server. A restarted server gets the same port as before. */
async function serve(): Promise<void> {
  const port = url === '' ? '0' : new URL(url).port;
  const child = spawn(holdfast, ['serve', '--json', '--apps', 'ringmaster', '--port', port], {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server = child;
  for await (const line of createInterface({ input: child.stdout })) {
    url = (JSON.parse(line) as { url: string }).url;
    return;
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGKILL');
  await ended;
}

beforeEach(async () => {
  project = makeProject({ lease_seconds: LEASE_SECONDS, retrySeconds: 0 });
  remote = temporaryFolder();
  git(remote, 'init', '-q', '--bare');
  git(project, 'remote', 'add', 'origin', remote);
  const scope = ['--scope', 'app:ringmaster-machines:write'];
  const made = execFileSync(holdfast, ['token', 'create', '--name', 'machines', ...scope, '--json'], {
    env: { ...process.env, HOLDFAST_HOME: home },
    encoding: 'utf8',
  });
  token = (JSON.parse(made) as { data: { secret: string } }).data.secret;
  url = '';
  await serve();
});
afterEach(() => kill(server));

interface Machine {
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Run;
}

/** A machine with its own home and one worker, whose capability is the machine's name. */
function machine(name: string): Machine {
  const folder = join(temporaryFolder(), name);
  mkdirSync(join(folder, 'home'), { recursive: true });
  writeFileSync(
    join(folder, 'ringmaster.toml'),
    `[run]\ngit_remote = "${remote}"\ngrace_seconds = 0.5\ndrain_seconds = 3\n[[workers]]\nname = "${name}"\n` +
      `type = "custom"\ncommand = "${fakeWorker}"\ncapabilities = ["${name}"]\n`,
  );
  const workspace = knownWorkspaces(home).find(({ root }) => root === realpathSync(project));
  const args = ['--server', url, '--workspace', workspace?.id ?? ''];
  const env = { HOLDFAST_HOME: join(folder, 'home'), HOLDFAST_TOKEN: token };
  return { folder, run: (...more) => startRun(folder, [...args, ...more], env) };
}

interface Shown {
  readonly task: { readonly status: string };
  readonly attempts: readonly { readonly outcome: string | null }[];
}
const show = (id: string): Shown => dataOf<Shown>(project, 'task', 'show', id);
const statusOf = (id: string): string => show(id).task.status;
const outcomesOf = (id: string): (string | null)[] => show(id).attempts.map(({ outcome }) => outcome);

it('two machines work on dependent tasks of a server, each with its own capabilities', async () => {
  const first = addTask(project, 'One', ['say hello from far away', 'edit one.txt 1'], '-c', 'alpha');
  const second = addTask(project, 'Two', ['git mv one.txt two.txt'], '-c', 'beta', '--depends-on', first);
  const running = [machine('alpha').run(), machine('beta').run()];
  await until('done', () => statusOf(second) === 'done');
  expect(run(project, ['logs', first]).stdout).toContain('hello from far away');
  expect(run(project, ['merge', second]).code).toBe(0);
  expect(readFileSync(join(project, 'two.txt'), 'utf8')).toBe('1\n');
  for (const { child, ended } of running) {
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0 });
  }
  expect(git(remote, 'branch', '--list')).toBe('');
});

it('a machine that was killed continues its attempt', async () => {
  const id = addTask(project, 'Slow', ['pid worker.pid', 'wait-for go', 'edit ring.txt clean']);
  const alpha = machine('alpha');
  const running = alpha.run();
  const pid = await until('worker', () => pidIn(alpha.folder, 'worker.pid'));
  await kill(running.child);
  await until('the guardian ends the worker', () => !existsSync(`/proc/${pid}`));
  writeFileSync(join(alpha.folder, 'go'), '');
  const again = alpha.run();
  await until('done', () => statusOf(id) === 'done');
  expect(outcomesOf(id)).toEqual(['succeeded']);
  expect(again.output()).toContain('taken over');
});

it('another machine gets the task of a killed machine after its lease, and the first one does not continue', async () => {
  const id = addTask(project, 'Slow', ['pid worker.pid', 'wait-for go', 'edit ring.txt clean']);
  const [alpha, beta] = [machine('alpha'), machine('beta')];
  const lost = alpha.run();
  await until('worker', () => pidIn(alpha.folder, 'worker.pid'));
  await kill(lost.child);
  beta.run();
  await until('other worker', () => pidIn(beta.folder, 'worker.pid'));
  const back = alpha.run();
  await until('nothing to continue', () => back.output().includes('the server has no task'));
  writeFileSync(join(beta.folder, 'go'), '');
  await until('done', () => statusOf(id) === 'done');
  expect(outcomesOf(id)).toEqual(['expired', 'succeeded']);
  expect(back.output()).not.toContain('taken over');
});

it('a worker continues while the server is killed and started again', async () => {
  const id = addTask(project, 'Slow', ['pid worker.pid', 'wait-for go', 'edit ring.txt clean']);
  const alpha = machine('alpha');
  alpha.run();
  const pid = await until('worker', () => pidIn(alpha.folder, 'worker.pid'));
  await kill(server);
  writeFileSync(join(alpha.folder, 'go'), '');
  await until('worker ends', () => !existsSync(`/proc/${pid}`));
  await serve();
  await until('done', () => statusOf(id) === 'done');
  expect(outcomesOf(id)).toEqual(['succeeded']);
});

it('a machine without a valid token gets nothing', async () => {
  addTask(project, 'Secret', ['edit ring.txt clean']);
  token = 'wrong';
  const refused = machine('alpha').run();
  await until('refusal', () => refused.output().includes('! '));
  expect(refused.output()).not.toContain('Secret');
});
