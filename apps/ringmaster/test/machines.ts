import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Config, defaultConfig } from '../src/model/config.ts';
import { claimForMachine, finishForMachine, heartbeatOfMachine, outputOfMachine } from '../src/service/machines.ts';
import { addProject } from '../src/service/projects.ts';
import type { Ringmaster } from '../src/service/ringmaster.ts';
import { type RunSummary, runWorkers } from '../src/service/run/run.ts';
import { bindToServer, forServer, type MachineServer, ServerTasks } from '../src/service/run/server-tasks.ts';
import type { RunEvent } from '../src/service/run/supervisor.ts';
import { addWorker } from '../src/service/workers.ts';
import { openTest, temporaryFolder, type TestClock } from './harness.ts';
import { git } from './held.ts';

export interface ServedProject {
  readonly rm: Ringmaster;
  /** The bare repository through which machines exchange branches. */
  readonly remote: string;
}

/** A project of a server: a repository with one commit, and a bare remote repository. */
export async function servedProject(
  more: { readonly config?: Partial<Config>; readonly clock?: TestClock } = {},
): Promise<ServedProject> {
  const [root, remote] = [temporaryFolder(), temporaryFolder()];
  git(remote, 'init', '-q', '--bare', '-b', 'main');
  git(root, 'init', '-q', '-b', 'main');
  writeFileSync(join(root, 'ring.txt'), 'sand\n');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  git(root, 'remote', 'add', 'origin', remote);
  const rm = await openTest({ root, ...more });
  await addProject(rm, { name: 'Circus', id: 'circus' });
  return { rm, remote };
}

/** Calls the server's services directly, without a network. */
export function directServer(rm: Ringmaster): MachineServer {
  return {
    claim: (input) => claimForMachine(rm, input),
    heartbeat: (input) => heartbeatOfMachine(rm, input),
    output: (input) => outputOfMachine(rm, input),
    finish: (input) => finishForMachine(rm, input),
  };
}

/** The folder of a machine, with one worker. */
export async function openMachine(
  remote: string,
  worker: Partial<Parameters<typeof addWorker>[1]>,
  run: Partial<Config['run']> = {},
): Promise<Ringmaster> {
  const config = { ...defaultConfig, run: { ...defaultConfig.run, git_remote: remote, drain_seconds: 5, ...run } };
  const rm = await openTest({ config });
  await addWorker(rm, { worker: 'solo', type: 'custom', ...worker });
  return rm;
}

export interface MachineRun {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
}

/** Runs a machine until the server has no task for it, or until `signal` aborts. */
export async function runMachine(
  rm: Ringmaster,
  server: MachineServer,
  signal: AbortSignal = new AbortController().signal,
): Promise<MachineRun> {
  const binding = await bindToServer(rm, { url: 'http://server', workspace: 'w', machine: 'm1' });
  const events: RunEvent[] = [];
  const tell = (event: RunEvent): void => void events.push(event);
  const own = forServer(rm);
  const source = new ServerTasks(own, { server, binding, project: undefined, signal, tell });
  const { pid, env } = process;
  const summary = await runWorkers(own, { source, slots: 2, once: true, project: undefined, signal, pid, env, tell });
  return { summary, events };
}
