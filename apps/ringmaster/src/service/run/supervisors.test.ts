import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openTest, temporaryFolder } from '../../../test/harness.ts';
import { until } from '../../../test/running.ts';
import { type LaunchRun, runLauncher } from '../../adapters/launch-run.ts';
import { type Config, defaultConfig, readConfig } from '../../model/config.ts';
import { registeredSupervisors, writeSupervisors } from '../../store/meta.ts';
import { addProject } from '../projects.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { addTask } from '../tasks.ts';
import { allEvents } from '../status.ts';
import { addWorker, syncWorkers } from '../workers.ts';
import { runWorkers } from './run.ts';
import { allSupervisors, requireSeenSettings, runPrograms, startRun, stopRun } from './supervisors.ts';

async function openRunnable(run: Partial<Config['run']> = {}): Promise<Ringmaster> {
  const config = { ...defaultConfig, run: { ...defaultConfig.run, use_git: false, max_iterations: 1, ...run } };
  const rm = await openTest({ config });
  await addProject(rm, { name: 'Circus', id: 'circus' });
  const program = join(rm.workspace.root, 'worker.sh');
  writeFileSync(program, '#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.05; done\n');
  chmodSync(program, 0o755);
  await addWorker(rm, { worker: 'slow', type: 'custom', command: program });
  return rm;
}

function begin(rm: Ringmaster): Promise<unknown> {
  const { signal } = new AbortController();
  const { pid, env } = process;
  return runWorkers(rm, { slots: 1, once: false, project: undefined, signal, pid, env, tell: () => undefined });
}

/** Pretends to start a process: the run happens in this process. */
const here =
  (rm: Ringmaster): LaunchRun =>
  () => {
    void begin(rm);
    return { pid: process.pid, ended: new Promise(() => undefined) };
  };

const neverLaunched: LaunchRun = () => {
  throw new Error('must not start anything');
};

describe('a run', () => {
  it('can be seen and stopped by others; a running worker finishes, and nothing new starts', async () => {
    const rm = await openRunnable();
    const first = await addTask(rm, { title: 'First', priority: 'P0' });
    const second = await addTask(rm, { title: 'Second' });
    const ended = begin(rm);
    const at = (name: string): string => join(rm.workspace.root, name);
    await until('the worker begins', () => existsSync(at('begun')));
    expect(allSupervisors(rm)).toMatchObject([{ pid: process.pid, slots: 1, started_by: 'tester', state: 'running' }]);
    expect((await stopRun(rm)).data).toMatchObject([{ state: 'stopping' }]);
    writeFileSync(at('go'), '');
    await ended;
    expect(allSupervisors(rm)).toEqual([]);
    const statuses = rm.store.reader.all('SELECT id, status FROM tasks WHERE type = ?', 'task');
    expect(statuses).toEqual(
      expect.arrayContaining([
        { id: first.id, status: 'done' },
        { id: second.id, status: 'ready' },
      ]),
    );
    await expect(stopRun(rm)).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' });
  });

  it('that died is shown as dead, and does not prevent the next one', async () => {
    const rm = await openRunnable();
    const dead = { id: 'x', pid: 2 ** 22 - 1, start: '1', boot: 'b', slots: 1, started_by: 'ada', started_at: '' };
    await rm.store.write('run begins', (tx) => writeSupervisors(tx, [{ ...dead, stop_requested_at: null }]));
    expect(allSupervisors(rm)).toMatchObject([{ started_by: 'ada', state: 'died' }]);
    const { settings } = runPrograms(rm);
    expect((await startRun({ rm, launch: here(rm) }, { settings })).data).toMatchObject([{ state: 'running' }]);
    await expect(startRun({ rm, launch: neverLaunched }, { settings })).rejects.toMatchObject({ code: 'RUN_ACTIVE' });
    await stopRun(rm);
    await until('the run ends', () => registeredSupervisors(rm.store.reader).length === 0);
  });

  it('starts only programs that a person has seen', async () => {
    const rm = await openRunnable({ test_command: ['npm', 'test'] });
    const { settings, programs } = runPrograms(rm);
    expect(programs).toMatchObject([
      { purpose: 'Worker slow', command: [expect.stringContaining('worker.sh')] },
      { purpose: 'Tests the work', command: ['npm', 'test'] },
    ]);
    const changed = { ...rm, config: { ...rm.config, run: { ...rm.config.run, test_command: ['rm'] } } };
    await expect(startRun({ rm: changed, launch: neverLaunched }, { settings })).rejects.toMatchObject({
      code: 'RUN_SETTINGS_CHANGED',
    });
    expect(() => requireSeenSettings(changed, settings)).toThrow('has changed');
    expect(() => requireSeenSettings(rm, settings)).not.toThrow();
  });

  it('that cannot start says why', async () => {
    const rm = await openRunnable();
    const { settings } = runPrograms(rm);
    const home = temporaryFolder();
    const program = join(home, 'ringmaster');
    writeFileSync(program, '#!/bin/sh\necho \'{"error":{"code":"X","message":"No sandbox here"}}\' >&2\nexit 1\n');
    chmodSync(program, 0o755);
    const launch = runLauncher({ home, command: program, env: process.env });
    await expect(startRun({ rm, launch }, { settings })).rejects.toMatchObject({
      code: 'RUN_NOT_STARTED',
      message: 'No sandbox here',
    });
    const missing = runLauncher({ home, command: join(home, 'missing'), env: process.env });
    await expect(startRun({ rm, launch: missing }, { settings })).rejects.toThrow('could not be started');
  });
});

it("the process gets none of the server's settings, and writes nothing through a link in the workspace", async () => {
  const [home, root] = [temporaryFolder(), temporaryFolder()];
  const program = join(home, 'ringmaster');
  writeFileSync(program, '#!/bin/sh\nenv\necho "$@"\n');
  chmodSync(program, 0o755);
  writeFileSync(join(home, 'precious'), 'mine');
  symlinkSync(join(home, 'precious'), join(root, 'run.log'));
  const env = { PATH: process.env['PATH'], HOLDFAST_STORE: 'postgres://secret', RINGMASTER_TOKEN: '7', EDITOR: 'vi' };
  const launch = runLauncher({ home, command: program, env });
  const printed = await launch({ root, actor: 'ada', slots: 3, settings: 'v1' }).ended;
  expect(printed).toBe(`run --json --dir ${root} --actor ada --slots 3`);
  const [log = ''] = readdirSync(join(home, 'ringmaster-runs'));
  const given = readFileSync(join(home, 'ringmaster-runs', log), 'utf8');
  expect(given).toContain('EDITOR=vi');
  expect(given).toContain('RINGMASTER_SETTINGS=v1');
  expect(given).not.toMatch(/HOLDFAST_STORE|RINGMASTER_TOKEN/u);
  expect(readFileSync(join(home, 'precious'), 'utf8')).toBe('mine');
});

it('events about the workers of ringmaster.toml can be read', async () => {
  const rm = await openRunnable();
  const workers = [{ name: 'ada', type: 'custom', command: '/bin/true' }];
  await syncWorkers({ ...rm, config: readConfig({ workers }, () => undefined) });
  expect(allEvents(rm, { limit: 1 })).toMatchObject([{ event_type: 'workers_configured', after: [{ id: 'ada' }] }]);
});
