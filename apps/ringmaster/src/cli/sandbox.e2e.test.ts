import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import {
  addTask,
  fakeWorker,
  git,
  isRunning,
  leftInGit,
  leftProcesses,
  makeProject,
  openState,
  runOnce,
  startRun,
  until,
} from '../../test/running.ts';
import type { Task } from '../model/task.ts';

const SANDBOX = 'sandbox = "bwrap"';
const taskOf = (folder: string, id: string): Task => dataOf<{ task: Task }>(folder, 'task', 'show', id).task;

const permitted: Readonly<Record<string, string>> = {
  'write to its worktree': 'fs.writeFileSync("own.txt", "own\\n")',
  'write a temporary file': 'fs.writeFileSync("/tmp/ringmaster-sandbox-test", "")',
  'read its prompt': 'fs.readFileSync(process.argv[2])',
  commit:
    'git("add", "--all"); git("-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "by the worker")',
  'read the history': 'git("log", "main")',
};
const forbidden = (port: number): Readonly<Record<string, string>> => ({
  'write to the workspace': 'fs.writeFileSync(root + "/written", "")',
  'write to its home': `fs.writeFileSync(${JSON.stringify(join(homedir(), 'ringmaster-sandbox-test'))}, "")`,
  'change the settings of git': 'git("config", "core.hooksPath", "/tmp")',
  'install a hook': 'fs.writeFileSync(root + "/.git/hooks/post-commit", "")',
  'move another branch': 'git("update-ref", "refs/heads/main", "HEAD")',
  'delete a branch': 'git("branch", "-D", "other")',
  'delete packed objects': 'fs.readdirSync(packs).forEach((name) => fs.rmSync(packs + name))',
  'add another object store': 'fs.writeFileSync(root + "/.git/objects/info/alternates", "/tmp")',
  'use another repository': 'fs.writeFileSync(".git", "gitdir: /tmp\\n")',
  'use other shared settings': 'fs.writeFileSync(git("rev-parse", "--git-dir").trim() + "/commondir", "/tmp\\n")',
  'signal a process outside': `process.kill(${process.pid}, 0)`,
  'connect to this machine': `await new Promise((done, fail) => net.connect(${port}, "127.0.0.1", done).on("error", fail))`,
});

/** Writes an agent that tries all of these actions and lists in its worktree which ones worked. */
function writeAgent(folder: string, port: number): string {
  const program = join(agentFolder(folder), 'agent.mjs');
  const tries = Object.entries({ ...permitted, ...forbidden(port) }).map(
    ([name, code]) => `try { ${code}; worked.push(${JSON.stringify(name)}); } catch {}`,
  );
  writeFileSync(
    program,
    `import fs from 'node:fs';
import net from 'node:net';
import { execFileSync } from 'node:child_process';
const root = process.env.RINGMASTER_ROOT;
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
const packs = root + '/.git/objects/pack/';
const worked = [];
${tries.join('\n')}
fs.writeFileSync('worked.json', JSON.stringify(worked));
process.exit(0);
`,
  );
  return program;
}

/** Creates a folder for the agent inside the workspace, because the sandbox hides the rest of /tmp. */
function agentFolder(folder: string): string {
  const path = join(folder, '.ringmaster', 'agent');
  mkdirSync(path, { recursive: true });
  return path;
}

/** Replaces the command of the only worker. */
function useAgent(folder: string, program: string): void {
  const toml = join(folder, 'ringmaster.toml');
  const command = `command = "${process.execPath}"\nargs = ["${program}", "{prompt_file}"]`;
  writeFileSync(toml, readFileSync(toml, 'utf8').replace(/^command = .*$/m, command));
}

/** Makes a project whose fake worker is in the workspace, so that it exists inside the sandbox. */
function makeSandboxed(options: Parameters<typeof makeProject>[0]): string {
  const folder = makeProject(options);
  const program = join(agentFolder(folder), 'fake-worker.mjs');
  cpSync(fakeWorker, program);
  const toml = join(folder, 'ringmaster.toml');
  writeFileSync(toml, readFileSync(toml, 'utf8').replaceAll(fakeWorker, program));
  return folder;
}

/** Accepts connections, and counts them. */
async function listen(): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end();
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('a worker in the sandbox', () => {
  it('can change and commit only its worktree, and has no network', async () => {
    const { port, connections } = await listen();
    const folder = makeProject({ run: SANDBOX });
    git(folder, 'branch', 'other');
    git(folder, 'gc', '-q');
    useAgent(folder, writeAgent(folder, port));
    const id = addTask(folder, 'Try everything', []);
    const before = git(folder, 'rev-parse', 'main', 'other');
    await runOnce(folder);
    const branch = `ringmaster/${id}-a1`;
    expect(taskOf(folder, id)).toMatchObject({ status: 'done' });
    expect(JSON.parse(git(folder, 'show', `${branch}:worked.json`))).toEqual(Object.keys(permitted));
    expect(git(folder, 'log', '--format=%s', `main..${branch}`).split('\n')).toEqual([
      `${id}: Try everything`,
      'by the worker',
    ]);
    expect(git(folder, 'rev-parse', 'main', 'other')).toBe(before);
    expect(git(folder, 'fsck', '--strict', '--no-dangling')).toBe('');
    expect(connections()).toBe(0);
    expect(run(folder, ['merge', id]).code).toBe(0);
    expect(readFileSync(join(folder, 'own.txt'), 'utf8')).toBe('own\n');
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });

  it('cannot move the branch of the user by pretending to have it checked out', async () => {
    const folder = makeProject({ run: SANDBOX });
    const program = join(agentFolder(folder), 'agent.mjs');
    writeFileSync(
      program,
      `import fs from 'node:fs';
fs.writeFileSync('evil.txt', 'evil');
const gitDir = fs.readFileSync('.git', 'utf8').trim().slice('gitdir: '.length);
fs.writeFileSync(gitDir + '/HEAD', 'ref: refs/heads/main\\n');
`,
    );
    useAgent(folder, program);
    const id = addTask(folder, 'Pretend', []);
    const before = git(folder, 'rev-parse', 'main');
    await runOnce(folder);
    expect(git(folder, 'rev-parse', 'main')).toBe(before);
    expect(git(folder, 'show', `ringmaster/${id}-a1:evil.txt`)).toBe('evil');
  });

  it('is tested and reviewed there too; only setup_command has network, but writes nothing outside either', async () => {
    const { port, connections } = await listen();
    const connect = `require('net').connect(${port}, '127.0.0.1', () => process.exit(0)).on('error', () => process.exit(1))`;
    const folder = makeSandboxed({
      run: `${SANDBOX}
setup_command = ["sh", "-c", "! touch $RINGMASTER_ROOT/touched && exec node -e \\"${connect}\\""]
test_command = ["sh", "-c", "! touch $RINGMASTER_ROOT/touched && ! node -e \\"${connect}\\""]
review = "command"
review_command = ["sh", "-c", "! touch $RINGMASTER_ROOT/touched && ! node -e \\"${connect}\\""]`,
    });
    const id = addTask(folder, 'Work', ['edit work.txt work']);
    await runOnce(folder);
    expect(taskOf(folder, id)).toMatchObject({ status: 'done' });
    expect(connections()).toBe(1);
    expect(existsSync(join(folder, 'touched'))).toBe(false);
  });

  it('is stopped at its limits and ends with its supervisor', async () => {
    const folder = makeSandboxed({
      run: `${SANDBOX}\nmax_iterations = 1\nmemory_limit_mb = 300`,
      worker: 'timeout_seconds = 2',
    });
    const slow = addTask(folder, 'Slow', ['ignore-term', 'say begun', 'hang'], '--max-attempts', '1');
    const greedy = addTask(folder, 'Greedy', ['allocate 400', 'hang'], '--max-attempts', '1');
    await runOnce(folder);
    expect(taskOf(folder, slow).last_failure).toMatch(/^The worker exceeded its time limit\n/);
    expect(taskOf(folder, greedy).last_failure).toBe('The worker and its child processes exceeded memory_limit_mb');
    expect(leftProcesses(folder)).toEqual([]);
    const toml = join(folder, 'ringmaster.toml');
    writeFileSync(toml, readFileSync(toml, 'utf8').replace('timeout_seconds = 2', ''));
    const id = addTask(folder, 'Orphan', ['times 1 hang', 'edit a.txt b']);
    const killed = startRun(folder);
    const state = await openState(folder);
    const pid = await until(
      'a worker',
      () =>
        state.store.reader.get<{ pid: number }>('SELECT pid FROM iterations WHERE task_id = ? AND pid IS NOT NULL', id)
          ?.pid,
    );
    killed.child.kill('SIGKILL');
    await killed.ended;
    await until('the sandbox has ended', () => !isRunning(pid) && leftProcesses(folder).length === 0);
    await runOnce(folder);
    expect(taskOf(folder, id).status).toBe('done');
  });
});

describe('run with sandbox = "bwrap"', () => {
  /** A PATH with these programs only. */
  function pathWith(...programs: string[]): string {
    const folder = temporaryFolder();
    for (const name of programs) {
      const found = (process.env['PATH'] ?? '')
        .split(':')
        .map((part) => join(part, name))
        .find(existsSync);
      if (found !== undefined) symlinkSync(found, join(folder, name));
    }
    return folder;
  }

  async function refusal(path: string): Promise<string> {
    const folder = makeSandboxed({ run: SANDBOX });
    const id = addTask(folder, 'Work', ['edit a.txt b']);
    const refused = startRun(folder, ['--once'], { PATH: path });
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(taskOf(folder, id)).toMatchObject({ status: 'ready', attempts: 0 });
    return refused.output();
  }

  it('starts nothing if bubblewrap is missing or not allowed', async () => {
    expect(await refusal(pathWith('node', 'git', 'env'))).toContain('bwrap was not found');
    const path = pathWith('node', 'git', 'env', 'sh');
    writeFileSync(join(path, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
    chmodSync(join(path, 'bwrap'), 0o755);
    const said = await refusal(path);
    expect(said).toContain('bwrap cannot isolate processes here: bwrap: No permissions to create new namespace');
    expect(said).toContain('apt install bubblewrap');
  });
});
