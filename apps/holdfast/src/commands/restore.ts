import { copyFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { CommandContext } from '@holdfast/cli';
import { commandLineErrors } from '@holdfast/cli';
import { openFileStore, openStoreAt, type Store, type StoreLocation } from '@holdfast/hub/databases';
import {
  backupDatabase,
  type Database,
  openExisting,
  replaceFromBackup,
  storeErrors,
  verifyBackup,
} from '@holdfast/sqlite';

import { databaseAt } from '../databases.ts';

interface Input {
  readonly args: { readonly db: string };
  readonly options: {
    readonly at: string | undefined;
    readonly from: string | undefined;
    readonly to: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, env, out } = context;
  const location = databaseAt(args.db, env);
  const { path } = location;
  if (options.at === undefined && options.from === undefined) {
    throw commandLineErrors.MISSING_OPTION('Choose what to restore: --at a revision or time, or --from a backup');
  }
  if (location.address !== undefined && (options.from !== undefined || options.to !== undefined)) {
    throw storeErrors.STORE_NOT_A_FILE(`${args.db} is on a PostgreSQL server, not in a file`, {
      hint: 'Use --at without --from and --to, or restore a PostgreSQL backup.',
    });
  }
  if (options.to !== undefined) return restoreToFile(context, path, resolve(options.to));
  if (options.from === undefined) return restoreInPlace(context, location);
  const { at } = options;
  const goBack = at === undefined ? undefined : (copy: string) => goBackIn(copy, at);
  const { manifest, kept } = await replaceFromBackup(path, options.from, goBack);
  out.result({ path, from: resolve(options.from), revision: manifest.revision, kept: kept ?? null }, (page) => {
    page.line(`${path} is now the backup from ${manifest.created_at} (revision ${manifest.revision})`);
    if (kept !== undefined) page.line(`The previous file is kept as ${kept}`);
  });
}

async function restoreInPlace({ args, options, out }: CommandContext<Input>, location: StoreLocation): Promise<void> {
  const database = await openStoreAt(location);
  try {
    const target = await targetRevision(database, options.at as string);
    const before = await database.revision();
    const { changed, revision } = await database.restoreTo(target);
    const path = database.place;
    out.result({ path, restored_to: target, revision, changed, undo_with: before }, (page) => {
      page.line(
        `${path} is back at revision ${target} (${changed} ${changed === 1 ? 'change' : 'changes'} undone, as revision ${revision})`,
      );
      // If the revisions are equal, the restore repaired damage. No revision contains the damage, so there is no undo.
      if (before !== target) page.line(`To undo this: holdfast restore ${args.db} --at ${before}`);
    });
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function restoreToFile({ options, out }: CommandContext<Input>, path: string, target: string): Promise<void> {
  if (existsSync(target)) throw storeErrors.BACKUP_EXISTS(`${target} already exists`);
  if (options.from === undefined) await copyLive(path, target);
  else {
    await verifyBackup(options.from);
    copyFileSync(resolve(options.from), target);
  }
  if (options.at !== undefined) await goBackIn(target, options.at);
  out.result({ path: target, at: options.at ?? null }, (page) => page.line(`Written to ${target}`));
}

async function copyLive(path: string, target: string): Promise<void> {
  const database = await openExisting(path);
  try {
    if (targetIsUnknown(database)) throw storeErrors.RESTORE_POINT_UNKNOWN(`${path} has no commits yet`);
    await backupDatabase(database, target);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function goBackIn(path: string, at: string): Promise<void> {
  const copy = await openFileStore(path);
  try {
    await copy.restoreTo(await targetRevision(copy, at));
  } finally {
    await copy.close();
  }
}

function targetIsUnknown(database: Database): boolean {
  return database.revision() === 0;
}

/** Digits are a revision; anything else is a time. */
async function targetRevision(database: Store, at: string): Promise<number> {
  if (/^\d+$/.test(at)) return Number(at);
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) {
    throw commandLineErrors.INVALID_ARGUMENT(`--at must be a revision or a time, not "${at}"`, {
      hint: 'For example --at 120, or --at 2026-11-15T10:00:00Z',
    });
  }
  const revision = await database.revisionAt(moment);
  if (revision === undefined) throw storeErrors.RESTORE_POINT_UNKNOWN(`The journal has no commit before ${at}`);
  return revision;
}
