import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';
import type { Task } from '../src/model/task.ts';
import { NatsServer } from './nats.ts';

/** The built command. */
export const ut: string = resolve(import.meta.dirname, '../../../dist/bin/ut');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'utask-home-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs `ut` as a user with their own data home and task list, with or without a NATS server. */
export class Person {
  readonly env: Environment;

  constructor(env: Environment = {}) {
    const home = join(temporaryFolder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    this.env = { HOLDFAST_HOME: home, NO_COLOR: '1', ...env };
  }

  get home(): string {
    return this.env['HOLDFAST_HOME'] as string;
  }

  run(args: readonly string[], input?: string): Ran {
    const { status, stdout, stderr } = spawnSync(ut, args, {
      env: { ...cleanEnvironment(), ...this.env },
      encoding: 'utf8',
      input: input ?? '',
      timeout: 60_000,
    });
    return { code: status, stdout, stderr };
  }

  ut(...args: readonly string[]): Ran {
    return this.run(args);
  }

  data<T>(...args: readonly string[]): T {
    const { code, stdout, stderr } = this.ut(...args, '--json');
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { readonly data: T }).data;
  }

  add(text: string, ...tags: readonly string[]): Task {
    return this.data<Task>('add', text, ...tags.flatMap((tag) => ['-t', tag]));
  }

  start(args: readonly string[]) {
    return spawn(ut, args, { env: { ...cleanEnvironment(), ...this.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  }
}

function cleanEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:UTASK|NATS)_/.test(name)));
}

let profiles = 0;

/** Runs the same tests with the embedded backend and with NATS. */
export function forBothBackends(title: string, tests: (person: () => Person) => void): void {
  describe(`${title} (embedded)`, () => {
    tests(() => new Person());
  });
  describe(`${title} (NATS)`, () => {
    let server: NatsServer | undefined;
    beforeAll(async () => {
      server = await NatsServer.start();
    });
    afterAll(() => server?.stop());
    tests(() => {
      profiles += 1;
      return new Person({ UTASK_NATS_URL: server!.url, UTASK_PROFILE: `e2e${profiles}` });
    });
  });
}
