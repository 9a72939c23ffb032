import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { SECOND } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';
import { expect, it } from 'vitest';

import { git } from '../../../test/held.ts';
import { directServer, openMachine, runMachine, servedProject } from '../../../test/machines.ts';
import { until } from '../../../test/running.ts';
import { defaultConfig } from '../../model/config.ts';
import { attemptsOf, liveAttempts } from '../../store/attempts.ts';
import { serverTasks } from '../../store/meta.ts';
import { existingTask } from '../../store/tasks.ts';
import { reapExpired } from '../queue.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { addTask, cancelTask } from '../tasks.ts';
import { runWorkers } from './run.ts';
import { bindToServer, type MachineServer } from './server-tasks.ts';

const command = resolve(import.meta.dirname, '../../../test/programs/fake-worker.mjs');
const steps = (...lines: string[]): string => lines.map((line) => `DO ${line}`).join('\n');
const statusOf = ({ store }: Ringmaster, id: string): string => existingTask(store.reader, id).status;
const leases = (lease_seconds: number) => ({ config: { queue: { ...defaultConfig.queue, lease_seconds } } });

/** A server that does not answer while `isDown` returns true. */
function unreliable(rm: Ringmaster, isDown: (call: keyof MachineServer) => boolean): MachineServer {
  const server = directServer(rm);
  const guarded =
    <Input, Output>(call: keyof MachineServer, answer: (input: Input) => Promise<Output>) =>
    (input: Input): Promise<Output> =>
      isDown(call) ? Promise.reject(httpErrors.SERVER_UNREACHABLE('no answer')) : answer(input);
  return {
    claim: guarded('claim', server.claim),
    heartbeat: guarded('heartbeat', (input) => server.heartbeat(input, 0)),
    output: guarded('output', server.output),
    finish: guarded('finish', server.finish),
  };
}

it('keeps the worker running while the server is away, and reports when the server is back', async () => {
  const { rm, remote } = await servedProject(leases(6));
  const { id } = await addTask(rm, { title: 'Slow', description: steps('sleep 2500', 'edit ring.txt clean') });
  const machine = await openMachine(remote, { command });
  const began = performance.now();
  let calls = 0;
  // The server answers the claim, then does not answer for three seconds, then answers again.
  const isDown = (): boolean => (calls += 1) > 1 && performance.now() - began < 3 * SECOND;
  const { events } = await runMachine(machine, unreliable(rm, isDown));
  expect(statusOf(rm, id), JSON.stringify(events)).toBe('done');
  expect(attemptsOf(rm.store.reader, id)).toHaveLength(1);
});

it('stops the worker before its lease has expired on the server', async () => {
  const { rm, remote } = await servedProject(leases(3));
  const { id } = await addTask(rm, { title: 'Hang', description: steps('pid worker.pid', 'hang') });
  const machine = await openMachine(remote, { command });
  const stop = new AbortController();
  let isDown = false;
  const run = runMachine(
    machine,
    unreliable(rm, () => isDown),
    stop.signal,
  );
  const file = join(machine.workspace.root, 'worker.pid');
  await until('worker', () => existsSync(file));
  isDown = true;
  await until('stopped', () => liveAttempts(machine.store.reader).length === 0);
  // The worker must end before another machine can get the task.
  const pid = readFileSync(file, 'utf8');
  await until('killed', () => !existsSync(`/proc/${pid}`), SECOND);
  expect(await reapExpired(rm)).toEqual([]);
  expect(attemptsOf(rm.store.reader, id)).toMatchObject([{ ended_at: null }]);
  stop.abort();
  await run;
  expect(serverTasks(machine.store.reader)).toEqual([]);
});

it('reports in the next run what it could not report in the last one', async () => {
  const { rm, remote } = await servedProject();
  const { id } = await addTask(rm, { title: 'Sweep', description: steps('edit ring.txt clean') });
  const machine = await openMachine(remote, { command }, { drain_seconds: 0.2 });
  const stop = new AbortController();
  const isFinish = (call: string): boolean => call === 'finish';
  const run = runMachine(machine, unreliable(rm, isFinish), stop.signal);
  await until('report', () => serverTasks(machine.store.reader).some(({ report }) => report !== undefined));
  stop.abort();
  await run;
  expect(statusOf(rm, id)).toBe('in_progress');
  const { summary } = await runMachine(machine, directServer(rm));
  expect(summary.attempts).toBe(0);
  expect(statusOf(rm, id)).toBe('done');
  expect(git(rm.workspace.root, 'show', `ringmaster/${id}-a1:ring.txt`)).toBe('clean');
});

it('stops a worker whose task a person has cancelled on the server', async () => {
  const { rm, remote } = await servedProject(leases(2));
  const { id } = await addTask(rm, { title: 'Hang', description: steps('pid worker.pid', 'hang') });
  const machine = await openMachine(remote, { command }, { grace_seconds: 0.1 });
  const run = runMachine(machine, directServer(rm));
  await until('worker', () => existsSync(join(machine.workspace.root, 'worker.pid')));
  await cancelTask(rm, { task: id });
  await run;
  expect(statusOf(rm, id)).toBe('draft');
});

it.each([
  ['a branch that is not for the attempt', { branch: 'main' }],
  ['a commit that is an option of git', { from_commit: '--upload-pack=evil' }],
])('does not obey a server that sends %s', async (_what, lie) => {
  const { rm, remote } = await servedProject();
  const { id } = await addTask(rm, { title: 'Sweep', description: steps('edit ring.txt clean') });
  const server = directServer(rm);
  const lying: MachineServer = {
    ...server,
    claim: async (input) => {
      const { work, reason } = await server.claim(input);
      return { work: work === null ? null : { ...work, ...lie }, reason };
    },
  };
  const { events } = await runMachine(await openMachine(remote, { command }), lying);
  expect(events).toContainEqual({ kind: 'problem', text: 'The server sent an invalid task' });
  expect(statusOf(rm, id)).toBe('ready');
});

it('uses a path as remote repository only if ringmaster.toml of the machine names it', async () => {
  const { rm, remote } = await servedProject();
  const { id } = await addTask(rm, { title: 'Sweep', description: steps('edit ring.txt clean') });
  const server = directServer(rm);
  const naming: MachineServer = {
    ...server,
    claim: async (input) => {
      const { work, reason } = await server.claim(input);
      return { work: work === null ? null : { ...work, git_remote: remote }, reason };
    },
  };
  const { summary, events } = await runMachine(await openMachine('', { command }), naming);
  const text = 'The address is a path on this machine, which you have to allow explicitly';
  expect(summary).toMatchObject({ attempts: 0, left: [{ id, title: 'Sweep', why: text }] });
  expect(events).toContainEqual({ kind: 'problem', text });
});

it('waits before it asks again if the server cannot push to the remote repository', async () => {
  const { rm, remote } = await servedProject();
  const { id } = await addTask(rm, { title: 'Sweep', description: steps('edit ring.txt clean') });
  git(rm.workspace.root, 'remote', 'set-url', 'origin', `${remote}-missing`);
  const machine = await openMachine(remote, { command });
  await runMachine(machine, directServer(rm), AbortSignal.timeout(3 * SECOND));
  expect(attemptsOf(rm.store.reader, id)).toMatchObject([{ outcome: 'released' }]);
});

it('works for one server, and not on its own tasks at the same time', async () => {
  const { remote } = await servedProject();
  const machine = await openMachine(remote, { command });
  const binding = { url: 'http://server', workspace: 'w', machine: 'm1' };
  const { key } = await bindToServer(machine, binding);
  expect((await bindToServer(machine, binding)).key).toBe(key);
  const refused = { code: 'SERVER_FOLDER' };
  await expect(bindToServer(machine, { ...binding, workspace: 'other' })).rejects.toMatchObject(refused);
  const { signal } = new AbortController();
  const { pid, env } = process;
  const running = { slots: 1, once: true, project: undefined, signal, pid, env, tell: () => undefined };
  await expect(runWorkers(machine, running)).rejects.toMatchObject(refused);
  const { rm } = await servedProject();
  await addTask(rm, { title: 'Own' });
  await expect(bindToServer(rm, binding)).rejects.toMatchObject(refused);
});
