import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { type Database, type DatabaseOptions, openDatabase } from '../src/database.ts';

/** Creates a folder that is removed when the test ends. */
export function temporaryFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'holdfast-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates the folder in memory if possible, for tests that make thousands of commits and don't check durability. */
export function temporaryFolderInMemory(): string {
  const memory = '/dev/shm';
  return temporaryFolder(existsSync(memory) ? memory : tmpdir());
}

/** Opens a database that is closed when the test ends; by default in its own folder. */
export async function openTemporary(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ path: join(temporaryFolder(), 'test.db'), kind: 'tables', ...options });
  onTestFinished(() => database.close({ processIsEnding: true }));
  return database;
}
