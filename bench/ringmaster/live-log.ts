import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { knownWorkspaces, registerWorkspace } from '../../apps/ringmaster/src/adapters/workspace.ts';
import { type Served, startServer } from '../hub/served.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';
import { prepareRun } from './setup.ts';

const WORKERS = 8;
const LINE_EVERY_MS = 20;
/** Lines printed in this first period are ignored, because they may have waited for a listener to connect. */
const WARM_UP_MS = 1_000;

/**
 * Workload: eight workers of the built `ringmaster run`, each printing the time fifty times a second; eight listeners
 * at the built server, one per log. Timed: from the worker's print to the listener.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const home = join(folder, 'live-log-home');
  const root = join(folder, 'live-log');
  const seconds = quick ? 4 : 20;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await prepareProject(root, seconds);
  registerWorkspace(home, root);
  const workspace = knownWorkspaces(home)[0]?.id ?? '';
  const server = await startServer(home);
  const runner = spawn(resolve('dist/bin/ringmaster'), ['run', '--once', '--slots', String(WORKERS)], {
    cwd: root,
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: 'ignore',
  });
  const ended = new Promise((done) => runner.once('close', done));
  const heard = await Promise.all(Array.from({ length: WORKERS }, (_, n) => listen(server, workspace, `bd-${n}`)));
  await ended;
  await server.stop();
  const delays = heard.flat().sort((left, right) => left - right);
  progress(`  ${delays.length} lines, median ${quantile(delays, 0.5).toFixed(1)} ms`);
  const baseline = `${delays.length} lines of 8 busy workers, median ${quantile(delays, 0.5).toFixed(1)} ms`;
  const value = quantile(delays, 0.99);
  return [{ name: 'ringmaster.live_log_p99', value, unit: 'ms', baseline, goal: 250, better: 'lower' }];
}

function prepareProject(root: string, seconds: number): Promise<void> {
  const program = `const t=setInterval(()=>console.log('at '+Date.now()),${LINE_EVERY_MS});setTimeout(()=>clearInterval(t),${seconds * 1_000})`;
  const worker = `command = "${process.execPath}"\nargs = ["-e", "${program}"]\nmax_concurrent = ${WORKERS}`;
  return prepareRun(root, WORKERS, worker);
}

/** Follows the log until it ends; returns the delay of each line. */
async function listen({ port, token }: Served, workspace: string, task: string): Promise<readonly number[]> {
  const path = `/api/ringmaster/workspaces/${workspace}/tasks/${task}/log/live`;
  const headers = { authorization: `Bearer ${token}` };
  const delays: number[] = [];
  const from = Date.now() + WARM_UP_MS;
  for (let attempt = 0; attempt < 200 && delays.length === 0; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      const now = Date.now();
      text += Buffer.from(chunk).toString('utf8');
      const lines = text.split('\\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const at = Number(/at (\d{13})$/.exec(line)?.[1] ?? 0);
        if (at > from) delays.push(now - at);
      }
      if (text.includes('event: end')) break;
    }
    // The worker has not started yet.
    if (delays.length === 0) await new Promise((done) => setTimeout(done, 50));
  }
  return delays;
}
