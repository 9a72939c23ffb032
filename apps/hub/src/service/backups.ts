import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readJson } from '@holdfast/base';
import { backupDatabase, type BackupManifest } from '@holdfast/sqlite';

import type { DatabaseName, Databases } from '../adapters/databases.ts';

/** A backup in `$HOLDFAST_HOME/backups/<name>/`, where `holdfast backup` puts them too. */
export interface Backup {
  readonly file: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
}

/** The newest first. One that was interrupted has no manifest, or not all of it, and is none. */
export function listBackups(databases: Databases, name: DatabaseName): readonly Backup[] {
  const folder = backupFolder(databases, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.db.json'))
    .toSorted()
    .toReversed()
    .flatMap((file) => {
      const manifest = readJson(join(folder, file)) as BackupManifest | undefined;
      return manifest === undefined ? [] : [shown(file.slice(0, -'.json'.length), manifest)];
    });
}

export async function backUp(databases: Databases, name: DatabaseName): Promise<Backup> {
  const database = await databases.get(name);
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '');
  const file = `${name}-${stamp}-r${database.revision()}.db`;
  return shown(file, await backupDatabase(database, join(backupFolder(databases, name), file)));
}

function backupFolder(databases: Databases, name: DatabaseName): string {
  return join(databases.home, 'backups', name);
}

function shown(file: string, { revision, oldest_revision, created_at, bytes }: BackupManifest): Backup {
  return { file, revision, oldest_revision, created_at, bytes };
}
