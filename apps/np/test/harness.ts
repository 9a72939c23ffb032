/** A real database in its own folder, a clock that tests advance, and the stored keys. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAddress } from '@holdfast/postgres/test-server';
import { onTestFinished } from 'vitest';
import { addTasks, type Call, type Np, type NpOptions, openNp, readLog, startSession } from '../src/index.ts';
import { storedEntries } from '../src/store/store.ts';

export interface Harness {
  readonly np: Np;
  readonly directory: string;
  readonly path: string;
  /** Location of the plans, to open them again. */
  readonly database: Pick<NpOptions, 'path' | 'address'>;
  readonly call: Call;
  /** Advances the clock by one second and returns the new time. */
  readonly tick: () => string;
  readonly keys: (prefix?: string) => Promise<Readonly<Record<string, string>>>;
}

const START = Date.parse('2026-01-02T03:04:05.000Z');

export async function openHarness(cmd = 'np test'): Promise<Harness> {
  const folder = temporaryFolder();
  const directory = join(folder, 'project');
  mkdirSync(directory);
  const path = join(folder, 'home', 'np.db');
  let now = START;
  const database = { path, address: await testAddress(path) };
  const np = await openNp({ ...database, now: () => now });
  onTestFinished(() => np.store.close({ processIsEnding: true }));
  return {
    np,
    directory,
    path,
    database,
    call: { where: { directory }, cmd },
    tick: () => {
      now += 1_000;
      return new Date(now).toISOString();
    },
    keys: (prefix = '') => keysOf(np, prefix),
  };
}

export interface Started extends Harness {
  readonly sid: string;
  readonly add: (...titles: string[]) => Promise<readonly string[]>;
  readonly eventTypes: () => Promise<readonly string[]>;
}

/** Opens a harness with a started session. The clock has advanced since the start. */
export async function openStarted(): Promise<Started> {
  const harness = await openHarness();
  const { np, directory, call } = harness;
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  harness.tick();
  return {
    ...harness,
    sid: session.sid,
    add: async (...titles) => {
      const tasks = titles.map((title) => ({ title, description: `about ${title}` }));
      return (await addTasks(np, { ...call, tasks })).map(({ task }) => task.id);
    },
    eventTypes: async () => (await readLog(np, call.where, { after: 0, limit: 1_000 })).events.map(({ type }) => type),
  };
}

async function keysOf(np: Np, prefix = ''): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for await (const [key, stored] of storedEntries(np.store, prefix)) {
    found[key] = typeof stored === 'string' ? stored : Buffer.from(stored).toString('hex');
  }
  return found;
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'np-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
