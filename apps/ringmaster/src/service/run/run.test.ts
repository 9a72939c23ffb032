import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { delay } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openTest } from '../../../test/harness.ts';
import { defaultConfig } from '../../model/config.ts';
import { addProject } from '../projects.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { addTask } from '../tasks.ts';
import { addWorker, pauseWorkers } from '../workers.ts';
import { type RunSummary, runWorkers } from './run.ts';

/** Simulates a slow machine: a claim that finds no task takes this long to return. */
function withSlowClaims(rm: Ringmaster, milliseconds: number): Ringmaster {
  const store: Ringmaster['store'] = Object.create(rm.store, {
    writeDescribed: {
      value: async (...args: Parameters<typeof rm.store.writeDescribed>) => {
        const result = await rm.store.writeDescribed(...args);
        if (result === undefined) await delay(milliseconds);
        return result;
      },
    },
  });
  return { ...rm, store };
}

/** A project in a plain folder, and a program that fails the first time it gets a task named Flaky. */
async function openRunnable(): Promise<{ readonly rm: Ringmaster; readonly program: string }> {
  const config = { ...defaultConfig, queue: { ...defaultConfig.queue, retry_base_seconds: 1 } };
  const rm = await openTest({ config: { ...config, run: { ...config.run, use_git: false, max_iterations: 1 } } });
  await addProject(rm, { name: 'Circus', id: 'circus' });
  const program = join(rm.workspace.root, 'worker.sh');
  writeFileSync(program, '#!/bin/sh\ngrep -q Flaky && [ "$RINGMASTER_ATTEMPT" = 1 ] && exit 1\nexit 0\n');
  chmodSync(program, 0o755);
  return { rm, program };
}

function drain(rm: Ringmaster): Promise<RunSummary> {
  const { signal } = new AbortController();
  const { pid, env } = process;
  return runWorkers(rm, { slots: 6, once: true, project: undefined, signal, pid, env, tell: () => undefined });
}

describe('run --once', () => {
  it('ends when all workers are paused', async () => {
    const { rm, program } = await openRunnable();
    await addWorker(rm, { worker: 'idle', type: 'custom', command: program });
    await addTask(rm, { title: 'Later' });
    await pauseWorkers(rm, { paused: true });
    expect(await drain(rm)).toMatchObject({ attempts: 0, left: [{ title: 'Later' }] });
  });

  it('continues when a worker becomes free while another one looks for a task in vain', async () => {
    const { rm, program } = await openRunnable();
    await addWorker(rm, { worker: 'idle', type: 'custom', command: program });
    await addWorker(rm, {
      worker: 'solo',
      type: 'custom',
      command: program,
      capabilities: ['solo'],
      max_concurrent: 1,
    });
    for (const title of ['One', 'Two', 'Three']) await addTask(rm, { title, capabilities: ['solo'] });
    expect(await drain(withSlowClaims(rm, 400))).toMatchObject({ attempts: 3, left: [] });
  });

  it('retries a task that becomes due between the last claim and the decision to stop', async () => {
    const { rm, program } = await openRunnable();
    await addWorker(rm, { worker: 'idle', type: 'custom', command: program });
    await addTask(rm, { title: 'Flaky', max_attempts: 2 });
    expect(await drain(withSlowClaims(rm, 1_500))).toMatchObject({ attempts: 2, left: [] });
  });
});
