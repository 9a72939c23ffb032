import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { readJson } from '@holdfast/base';

export interface FoundBackup {
  readonly path: string;
  readonly at: number;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly bytes: number;
}

type Manifest = Omit<FoundBackup, 'path' | 'at'> & { readonly created_at: string };

/** Oldest first. A file without a whole manifest is an interrupted backup and is not one. */
export function findBackups(folder: string): FoundBackup[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db.json')) : [];
  return names
    .flatMap((name) => {
      const manifest = readJson(join(folder, name)) as Manifest | undefined;
      if (manifest === undefined) return [];
      const { revision, oldest_revision, bytes, created_at } = manifest;
      const path = join(folder, name.slice(0, -'.json'.length));
      return [{ path, at: Date.parse(created_at), revision, oldest_revision, bytes }];
    })
    .sort((left, right) => left.at - right.at);
}

/** The seed's name, `ringmaster_20260126_1000.db`; a second one in the same minute gets its revision too. */
export function newBackupPath(folder: string, now: number, revision: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const stem = join(folder, `ringmaster_${date.replaceAll('-', '')}_${time.slice(0, 5).replace(':', '')}`);
  if (!existsSync(`${stem}.db`)) return `${stem}.db`;
  for (let copy = 1; ; copy++) {
    const path = `${stem}_r${revision}${copy === 1 ? '' : `_${copy}`}.db`;
    if (!existsSync(path)) return path;
  }
}

export function deleteBackup(path: string): void {
  // Without its manifest it is no backup any more, so an interruption leaves nothing that looks like one.
  rmSync(`${path}.json`, { force: true });
  rmSync(path, { force: true });
}
