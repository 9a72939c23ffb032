import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { type Database, type DatabaseOptions, openDatabase } from '../src/database.ts';

/** A folder that is removed when the test ends. */
export function temporaryFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'holdfast-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same in memory where there is such a place: for thousands of commits whose durability is not the question. */
export function temporaryFolderInMemory(): string {
  const memory = '/dev/shm';
  return temporaryFolder(existsSync(memory) ? memory : tmpdir());
}

/** A database that is closed when the test ends; in a folder of its own unless a path is given. */
export async function openTemporary(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ path: join(temporaryFolder(), 'test.db'), kind: 'tables', ...options });
  onTestFinished(() => database.close());
  return database;
}
