/** A real database in its own folder, a clock that tests advance, and the stored keys. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Call, type Np, openNp } from '../src/index.ts';
import { storedEntries } from '../src/store/store.ts';

export interface Harness {
  readonly np: Np;
  readonly directory: string;
  readonly path: string;
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
  const np = await openNp({ path, now: () => now });
  onTestFinished(() => np.close());
  return {
    np,
    directory,
    path,
    call: { where: { directory }, cmd },
    tick: () => {
      now += 1_000;
      return new Date(now).toISOString();
    },
    keys: (prefix = '') => keysOf(np, prefix),
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
