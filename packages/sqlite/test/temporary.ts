import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { type Database, type DatabaseOptions, openDatabase } from '../src/database.ts';

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database that is closed when the test ends; in a folder of its own unless a path is given. */
export async function openTemporary(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ path: join(temporaryFolder(), 'test.db'), kind: 'tables', ...options });
  onTestFinished(() => database.close());
  return database;
}
