import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@holdfast/base';

import { type Engine, type Keyspace, memoryEngine, sqliteEngine } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';
import { testAddress } from '@holdfast/postgres/test-server';
import { onTestFinished } from 'vitest';

import { type Accounts, openAccounts, openAccountsKeyspace, type UserView } from '../src/index.ts';
import type { AccountsOptions } from '../src/accounts.ts';
import type { HashPolicy } from '../src/model/hash-policy.ts';

/** The cheapest parameters that Argon2 allows; these tests don't cover hashing itself. */
const cheapPolicy: HashPolicy = { memory_kib: 8, iterations: 1, parallelism: 1, version: 1 };

export const PASSWORD = 'correct horse battery';

export type TestClock = Clock & { advance(milliseconds: number): void };

export function testClock(start: number = Date.UTC(2026, 0, 19, 12)): TestClock {
  let now = start;
  return Object.assign(() => now, {
    advance(milliseconds: number): void {
      now += milliseconds;
    },
  });
}

export interface Opened {
  readonly accounts: Accounts;
  readonly keyspace: Keyspace;
  readonly clock: TestClock;
  readonly path: string;
}

export interface OpenOptions extends Partial<Omit<AccountsOptions, 'clock'>> {
  readonly engine?: 'sqlite' | 'memory';
  readonly path?: string;
  readonly clock?: TestClock;
  readonly hashPolicy?: HashPolicy;
  /** Wraps the engine, for example to simulate a full disk or to count reads. */
  readonly between?: (engine: Engine) => Engine;
}

/** Opens accounts in a new database, or in the one at `path`; closes them when the test ends. */
export async function open(options: OpenOptions = {}): Promise<Opened> {
  const { engine: kind = 'sqlite', clock = testClock(), hashPolicy = cheapPolicy, between, ...rest } = options;
  const path = options.path ?? join(temporaryFolder(), 'accounts.db');
  const engine = kind === 'memory' ? memoryEngine(clock) : await openEngine(path);
  const keyspace = await openAccountsKeyspace(between === undefined ? engine : between(engine), {
    hashPolicy,
    now: clock,
  });
  const accounts = await openAccounts({ keyspace, clock, ...rest });
  onTestFinished(async () => {
    await accounts.settled();
    await keyspace.close({ processIsEnding: true });
  });
  return { accounts, keyspace, clock, path };
}

/** Like `open`, with an owner called ada whose password is `PASSWORD`. */
export async function openWithOwner(options: OpenOptions = {}): Promise<Opened & { readonly ada: UserView }> {
  const opened = await open(options);
  const ada = await opened.accounts.createOwner({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
  return { ...opened, ada };
}

async function openEngine(path: string): Promise<Engine> {
  const address = await testAddress(path);
  return address === undefined ? sqliteEngine({ path }) : postgresEngine({ address, space: 'accounts' });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-accounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns every stored key and value. */
export async function storedKeys(keyspace: Keyspace, prefix = ''): Promise<Record<string, unknown>> {
  const entries = await keyspace.engine.range({ gte: '', lt: '\u{10ffff}', limit: 100_000, reverse: false });
  return Object.fromEntries(entries.filter(([key]) => key.startsWith(prefix)));
}

/** Returns the error code that a promise rejects with, or `done`. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}
