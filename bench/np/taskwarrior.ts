import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { addMany, newPlace } from './place.ts';

/** Nothing to reach: the two are shown side by side. Taskwarrior is a native program, np starts Node. */
const ONLY_REPORTED = Number.POSITIVE_INFINITY;

/**
 * Workload: the same 1,000 tasks in np and in Taskwarrior (Debian's package); list all, add one.
 * Timed: whole processes, in turns.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const count = context.quick ? 100 : 1_000;
  const place = newPlace(context.folder);
  addMany(place, count);
  const task = taskwarriorWith(count, join(context.folder, 'taskwarrior'));
  const timing = { operations: 1, rounds: context.quick ? 2 : 15, warmUpRounds: 1 };
  const list = await compare({ ...timing, ours: () => place.run(['t']), baseline: () => task(['list']) });
  const add = await compare({
    ...timing,
    ours: (n) => place.run(['t', 'a', '-t', `New task ${n}`]),
    baseline: (n) => task(['add', `New task ${n}`]),
  });
  return [
    ratioFigure('np.taskwarrior.list', list, 'task list', ONLY_REPORTED),
    ratioFigure('np.taskwarrior.add', add, 'task add', ONLY_REPORTED),
  ];
}

function taskwarriorWith(count: number, folder: string): (words: readonly string[]) => void {
  const settings = join(folder, 'taskrc');
  mkdirSync(folder);
  writeFileSync(settings, `data.location=${folder}/data\nconfirmation=off\nverbose=nothing\n`);
  const env = { ...process.env, TASKRC: settings, TASKDATA: join(folder, 'data') };
  mkdirSync(join(folder, 'data'));
  const run = (words: readonly string[], input = ''): void => {
    const { status, stderr, error } = spawnSync('task', [...words], { env, input, maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`task ${words.join(' ')}: ${error?.message ?? stderr.toString()}`);
  };
  const tasks = Array.from({ length: count }, (_, index) => ({
    description: `Task number ${index}`,
    status: 'pending',
  }));
  run(['import', '-'], JSON.stringify(tasks));
  return run;
}
