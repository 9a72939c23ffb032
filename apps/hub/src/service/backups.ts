import { basename, join } from 'node:path';

import { listBackups as listIn, type StoredBackup } from '@holdfast/sqlite';

import type { Databases } from '../adapters/databases.ts';
import type { DatabaseName } from '../model/database-names.ts';

/** A backup in `$HOLDFAST_HOME/backups/<name>/`, as written by `holdfast backup`. */
export interface Backup {
  readonly file: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
}

/** Lists backups, newest first. */
export function listBackups(databases: Databases, name: DatabaseName): { data: readonly Backup[]; next_cursor: null } {
  return { data: listIn(backupFolder(databases, name)).toReversed().map(shown), next_cursor: null };
}

export async function createBackup(databases: Databases, name: DatabaseName): Promise<Backup> {
  const database = await databases.get(name);
  return shown(await database.backup({ folder: backupFolder(databases, name) }));
}

function backupFolder(databases: Databases, name: DatabaseName): string {
  return join(databases.home, 'backups', name);
}

function shown({ path, revision, oldest_revision, created_at, bytes }: StoredBackup): Backup {
  return { file: basename(path), revision, oldest_revision, created_at, bytes };
}
