import { resolve } from 'node:path';

import type { CommandContext } from '@holdfast/cli';
import { openStoreAt } from '@holdfast/hub/databases';
import { type BackupProgress, listBackups } from '@holdfast/sqlite';

import { backupFolder, databaseAt } from '../databases.ts';

interface Input {
  readonly args: { readonly db: string; readonly target: string | undefined };
  readonly options: { readonly list: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const location = databaseAt(context.args.db, context.env);
  const folder = backupFolder(location, context.env);
  if (context.options.list) return showBackups(context, folder);
  const { args, out, progress } = context;
  const database = await openStoreAt(location);
  try {
    using bar = progress('Copying', 100);
    const onProgress = percentSteps(bar.advance);
    const target = args.target === undefined ? { folder } : { path: resolve(args.target) };
    const made = await database.backup({ ...target, onProgress });
    out.result(made, (page) => {
      page.line(`${made.path}: revision ${made.revision}, ${made.bytes} bytes, checked`);
      for (const path of made.deleted) page.line(`Deleted the expired backup ${path}`);
    });
  } finally {
    await database.close({ processIsEnding: true });
  }
}

function showBackups({ out }: CommandContext<Input>, folder: string): void {
  const backups = listBackups(folder);
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

/** Converts the number of remaining pages that the driver reports into steps of the progress bar, in percent. */
function percentSteps(advance: (count: number) => void): (progress: BackupProgress) => void {
  let shown = 0;
  return ({ totalPages, remainingPages }) => {
    const percent = totalPages === 0 ? 100 : Math.floor((100 * (totalPages - remainingPages)) / totalPages);
    advance(percent - shown);
    shown = percent;
  };
}
