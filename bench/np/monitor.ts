import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { addTasks, openNp } from '@holdfast/np';

import { type Context, type Figure, quantile } from '../lib/harness.ts';
import { newFixture, npPath, type Fixture } from './fixture.ts';

/**
 * Workload: `np m` in a pseudo-terminal of 80×24; this process adds tasks one by one, 60 to 160 ms apart. Timed: from
 * the acknowledgement until the new title arrives in the pseudo-terminal. Idle: CPU time charged to the monitor while
 * nobody writes.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const fixture = newFixture(context.folder);
  const monitor = await Monitor.start(fixture);
  const np = await openNp({ path: fixture.database });
  const latencies: number[] = [];
  for (let n = 0; n < (context.quick ? 10 : 300); n++) {
    const title = `added-${n}-here`;
    const seen = monitor.sees(title);
    await addTasks(np, { where: { directory: fixture.project }, cmd: 'bench', tasks: [{ title, description: '' }] });
    const acknowledged = performance.now();
    latencies.push(Math.max(0, (await seen) - acknowledged));
    await pause(60 + Math.random() * 100);
  }
  await np.close();
  await pause(1_000);
  const idle = await monitor.idle(context.quick ? 1_000 : 15_000);
  await monitor.stop();
  const figure = (name: string, value: number, unit: string, goal: number): Figure => {
    const baseline = unit === 'ms' ? `${latencies.length} commits of another process` : 'nobody writes';
    return { name, value, unit, baseline, goal, better: 'lower' };
  };
  return [
    figure('np.monitor.p50', quantile(latencies, 0.5), 'ms', 40),
    figure('np.monitor.p99', quantile(latencies, 0.99), 'ms', 150),
    figure('np.monitor.idle', idle, '% of a core', 0.5),
  ];
}

const TICKS_PER_SECOND = 100;
const SEEN_TIMEOUT_MS = 10_000;

class Monitor {
  readonly #script: ChildProcess;
  #output = '';
  #listener: () => void = () => undefined;

  private constructor(script: ChildProcess) {
    this.#script = script;
    script.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
      this.#listener();
    });
  }

  static async start(fixture: Fixture): Promise<Monitor> {
    const command = `stty cols 80 rows 24; exec ${process.execPath} ${npPath} m`;
    const env = { ...fixture.env, TERM: 'xterm', SHELL: '/bin/sh' };
    const monitor = new Monitor(spawn('script', ['-qfec', command, '/dev/null'], { cwd: fixture.project, env }));
    await monitor.sees('No goal set yet');
    return monitor;
  }

  /** Resolves with the time at which the text arrives. */
  sees(text: string): Promise<number> {
    this.#output = '';
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the monitor never showed ${text}`)), SEEN_TIMEOUT_MS);
      this.#listener = () => {
        if (!this.#output.includes(text)) return;
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
  }

  /** Returns the CPU use while idle, in percent of a core. */
  async idle(milliseconds: number): Promise<number> {
    const before = this.#ticks();
    await pause(milliseconds);
    return (100 * (this.#ticks() - before)) / TICKS_PER_SECOND / (milliseconds / 1_000);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#script.once('exit', resolve));
    this.#script.stdin?.write('q');
    await ended;
  }

  #ticks(): number {
    const { pid } = this.#script;
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    // Skips the process name, which is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  }
}
