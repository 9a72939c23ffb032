import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The built command in its own folder. */
export interface Fixture {
  readonly folder: string;
  readonly project: string;
  readonly database: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: (words: readonly string[]) => void;
  readonly start: (words: readonly string[]) => Promise<unknown>;
}

export const npPath = resolve('dist/bin/np');

const TASKS_PER_COMMAND = 500;

export function newFixture(folder: string): Fixture {
  if (!existsSync(npPath)) throw new Error('Build the commands first: node scripts/build.mjs');
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  mkdirSync(project, { recursive: true });
  const env = { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1' };
  const options = { cwd: project, env, maxBuffer: 2 ** 28 };
  const fixture: Fixture = {
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
  fixture.run(['s']);
  return fixture;
}

export function addMany(fixture: Fixture, count: number): void {
  for (let first = 0; first < count; first += TASKS_PER_COMMAND) {
    const numbers = Array.from({ length: Math.min(TASKS_PER_COMMAND, count - first) }, (_, index) => first + index);
    fixture.run(['t', 'a', ...numbers.flatMap((number) => ['-t', `Task number ${number}`, '-d', 'what it is about'])]);
  }
}

/** The common baseline: Node without work. */
export function runNothing(): void {
  spawnSync(process.execPath, ['-e', '0']);
}
