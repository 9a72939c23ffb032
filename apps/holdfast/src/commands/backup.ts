import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { readJson } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { backupDatabase, type BackupManifest, type BackupProgress, openExisting } from '@holdfast/sqlite';

import { backupFolder, type DatabasePlace, databasePlace } from '../databases.ts';

interface Input {
  readonly args: { readonly db: string; readonly target: string | undefined };
  readonly options: { readonly list: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const place = databasePlace(context.args.db, context.env);
  if (context.options.list) return listBackups(context, backupFolder(place, context.env));
  const { args, env, out, progress } = context;
  const database = await openExisting(place.path);
  try {
    const target = resolve(args.target ?? join(backupFolder(place, env), backupName(place, database.revision())));
    using bar = progress('Copying', 100);
    const manifest = await backupDatabase(database, target, percentSteps(bar.advance));
    out.result({ path: target, ...manifest }, (page) =>
      page.line(`${target}: revision ${manifest.revision}, ${manifest.bytes} bytes, checked`),
    );
  } finally {
    await database.close({ processIsEnding: true });
  }
}

function listBackups({ out }: CommandContext<Input>, folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db.json')) : [];
  const backups = names.toSorted().flatMap((name) => {
    // One that was interrupted has not all of its manifest, and is none.
    const manifest = readJson(join(folder, name)) as BackupManifest | undefined;
    return manifest === undefined ? [] : [{ path: join(folder, name.slice(0, -'.json'.length)), ...manifest }];
  });
  out.result(backups, (page) => {
    if (backups.length === 0) page.line(`No backups in ${folder}`);
    else
      page.table(backups, [
        { heading: 'BACKUP', value: ({ path }) => path, flexible: true },
        { heading: 'TAKEN', value: ({ created_at }) => created_at },
        { heading: 'REVISION', value: ({ revision }) => revision, align: 'right' },
        { heading: 'BYTES', value: ({ bytes }) => bytes, align: 'right' },
      ]);
  });
}

function backupName({ path }: DatabasePlace, revision: number): string {
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '');
  return `${basename(path, '.db')}-${stamp}-r${revision}.db`;
}

/** The driver reports pages left; the bar wants steps taken. */
function percentSteps(advance: (count: number) => void): (progress: BackupProgress) => void {
  let shown = 0;
  return ({ totalPages, remainingPages }) => {
    const percent = totalPages === 0 ? 100 : Math.floor((100 * (totalPages - remainingPages)) / totalPages);
    advance(percent - shown);
    shown = percent;
  };
}
