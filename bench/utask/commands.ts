import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { openUtask } from '../../apps/utask/src/service/open-utask.ts';
import type { Utask } from '../../apps/utask/src/index.ts';
import { NatsServer } from '../../apps/utask/test/nats.ts';
import { bareScripts } from './bare-scripts.ts';

const TASKS = 1_000;

/**
 * Workload: `ut add TEXT -t one -t two` and `ut ls` as processes, starting with 1,000 tasks. Baseline of the embedded
 * store: `node -e 0`. Baseline on NATS: a plain script that does the same with NATS' own KV client. Timed: whole
 * processes.
 */
export async function commandFigures(context: Context): Promise<readonly Figure[]> {
  const home = join(context.folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const server = await NatsServer.start('-sd', join(context.folder, 'nats'));
  try {
    await fill(await openUtask({ databasePath: join(home, 'utask.db'), url: undefined }));
    await fill(await openUtask({ databasePath: '', url: server.url }));
    // Starts Node directly, like the baseline, and not through `env`.
    const ut = [process.execPath, resolve('dist/bin/ut')];
    const add = ['add', 'Buy milk', '-t', 'one', '-t', 'two'];
    const bare = (name: keyof typeof bareScripts): readonly string[] => {
      const path = join(context.folder, `bare-${name}.mjs`);
      writeFileSync(path, bareScripts[name]);
      return [process.execPath, path, server.url];
    };
    const node = [process.execPath, '-e', '0'];
    const cases = [
      ['utask.add_embedded', [...ut, ...add], node, 'node -e 0', 1.5],
      ['utask.ls_embedded', [...ut, 'ls'], node, 'node -e 0', 1.4],
      ['utask.add_nats', [...ut, ...add, '--nats-url', server.url], bare('add'), 'a script with the NATS client', 1.3],
      ['utask.ls_nats', [...ut, 'ls', '--nats-url', server.url], bare('ls'), 'a script with the NATS client', 1.3],
    ] as const;
    const figures: Figure[] = [];
    for (const [name, ours, baseline, what, goal] of cases) {
      context.progress(`  ${name}`);
      const compared = await compare({
        operations: 1,
        rounds: context.quick ? 3 : 25,
        warmUpRounds: 2,
        ours: () => runToEnd(ours, home),
        baseline: () => runToEnd(baseline, home),
      });
      figures.push(ratioFigure(name, compared, what, goal));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function fill(utask: Utask): Promise<void> {
  await Promise.all(Array.from({ length: TASKS }, (_, n) => utask.add(`task ${n}`, [`tag${n % 20}`])));
  await utask.close();
}

function runToEnd([command, ...args]: readonly string[], home: string): void {
  const { status, stderr } = spawnSync(command as string, args, {
    env: { ...process.env, HOLDFAST_HOME: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
}
