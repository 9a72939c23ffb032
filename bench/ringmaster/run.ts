import { execFile, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { type Context, type Figure, median } from '../lib/harness.ts';
import { makeRepository, prepareRun } from './setup.ts';

const SLOTS = 8;
const run = promisify(execFile);

/**
 * Workload: 200 tasks with `echo` as worker in eight slots of the built `ringmaster run --once`. Baseline: eight loops
 * that create a worktree with a branch, run the command and remove both. Only one loop creates a worktree at a time,
 * because git fails if it finds an incomplete worktree. Both sides measure only the overhead around the work.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const tasks = quick ? 16 : 200;
  const ratios: number[] = [];
  const times: { ours: number; byHand: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const root = join(folder, `run-${round}`);
    await prepareRun(
      root,
      tasks,
      `command = "echo"\nargs = ["✓ No change needed: a benchmark"]\nmax_concurrent = ${SLOTS}`,
    );
    const ours = await timed(() => runOurs(root));
    const bare = join(folder, `by-hand-run-${round}`);
    makeRepository(bare);
    const byHand = await timed(() => runByHand(bare, tasks));
    ratios.push(ours / byHand);
    times.push({ ours: ours / tasks, byHand: byHand / tasks });
    progress(`  ours ${(ours / tasks).toFixed(1)} ms, by hand ${(byHand / tasks).toFixed(1)} ms per task`);
  }
  const time = (kind: 'ours' | 'byHand'): string => `${median(times.map((one) => one[kind])).toFixed(1)} ms`;
  const baseline = `spawn, worktree and branch by hand, 8 at once: ${time('byHand')} per task (ours ${time('ours')})`;
  return [{ name: 'ringmaster.run', value: median(ratios), unit: '×', baseline, goal: 1.5, better: 'lower' }];
}

async function runOurs(root: string): Promise<void> {
  const command = resolve(process.cwd(), 'dist/bin/ringmaster');
  await run(command, ['run', '--once', '--slots', String(SLOTS)], { cwd: root });
}

async function runByHand(root: string, tasks: number): Promise<void> {
  let next = 0;
  let last: Promise<unknown> = Promise.resolve();
  const git = (...args: string[]): Promise<unknown> => (last = last.then(() => run('git', args, { cwd: root })));
  const loop = async (): Promise<void> => {
    for (let n = next++; n < tasks; n = next++) {
      const path = join(root, '.worktrees', String(n));
      await git('worktree', 'add', '--quiet', '-b', `work/${n}`, path, 'HEAD');
      await new Promise((done, fail) => {
        spawn('echo', { cwd: path }).on('close', done).on('error', fail);
      });
      await git('worktree', 'remove', path);
      await git('branch', '--quiet', '-D', `work/${n}`);
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, loop));
}

async function timed(action: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
