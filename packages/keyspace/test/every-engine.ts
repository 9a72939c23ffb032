import { join } from 'node:path';

import { describe } from 'vitest';

import { postgresEngine } from '@holdfast/postgres';
import { sharedServer } from '@holdfast/postgres/test-server';

import { type Engine, type Keyspace, memoryEngine, openKeyspace, sqliteEngine } from '../src/index.ts';
import { schema } from './plan-schema.ts';
import { temporaryFolder } from './temporary.ts';

const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  memory: () => Promise.resolve(memoryEngine()),
  sqlite: () => sqliteEngine({ path: join(temporaryFolder(), 'keys.db') }),
  postgres: async () => postgresEngine({ address: (await sharedServer()).address(), space: temporaryFolder() }),
};

/** Runs the same tests on every engine. */
export function onEveryEngine(name: string, tests: (open: () => Promise<Keyspace>) => void): void {
  for (const [engineName, openEngine] of Object.entries(engines)) {
    describe(`${name} (${engineName})`, () => {
      tests(async () => openKeyspace({ engine: await openEngine(), schema }));
    });
  }
}

/** Returns every stored key and value. */
export async function storedKeys(keyspace: Keyspace): Promise<Record<string, unknown>> {
  const entries = await keyspace.engine.range({ gte: '', lt: '\u{10ffff}', limit: 10_000, reverse: false });
  return Object.fromEntries(entries);
}
