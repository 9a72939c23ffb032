import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The built command in its own folder. */
export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly database: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: (words: readonly string[]) => void;
  readonly start: (words: readonly string[]) => Promise<unknown>;
}

export const npPath = resolve('dist/bin/np');

const TASKS_PER_COMMAND = 500;

export function newPlace(folder: string): Place {
  if (!existsSync(npPath)) throw new Error('Build the commands first: node scripts/build.mjs');
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  mkdirSync(project, { recursive: true });
  const env = { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1' };
  const options = { cwd: project, env, maxBuffer: 2 ** 28 };
  const place: Place = {
    folder,
    project,
    database: join(home, 'np.db'),
    env,
    run: (words) => {
      const { status, stderr } = spawnSync(process.execPath, [npPath, ...words], options);
      if (status !== 0) throw new Error(`np ${words.slice(0, 3).join(' ')}: ${stderr.toString()}`);
    },
    start: (words) => promisify(execFile)(process.execPath, [npPath, ...words], options),
  };
  place.run(['s']);
  return place;
}

export function addMany(place: Place, count: number): void {
  for (let first = 0; first < count; first += TASKS_PER_COMMAND) {
    const numbers = Array.from({ length: Math.min(TASKS_PER_COMMAND, count - first) }, (_, index) => first + index);
    place.run(['t', 'a', ...numbers.flatMap((number) => ['-t', `Task number ${number}`, '-d', 'what it is about'])]);
  }
}

/** The common baseline: Node without work. */
export function runNothing(): void {
  spawnSync(process.execPath, ['-e', '0']);
}
