import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { defineErrors, type ErrorFactory, HoldfastError, KIBIBYTE } from '@holdfast/base';

export const storeErrors = defineErrors({
  STORE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The database file does not exist.',
    hint: 'Check the name or path; `holdfast doctor` lists the databases that exist.',
  },
  STORE_BUSY: {
    kind: 'unavailable',
    means: 'Another process held the write lock for too long. Nothing was changed.',
    hint: 'Try again; if it persists, look for a program that keeps a transaction open on this file.',
  },
  STORE_FULL: {
    kind: 'unavailable',
    means: 'The disk is full. The transaction was rolled back and not acknowledged.',
    hint: 'Free some space and repeat the command; the store works again by itself.',
  },
  STORE_IO: {
    kind: 'unavailable',
    means: 'The operating system reported an error while reading or writing. The transaction was not acknowledged.',
    hint: 'Check the disk (dmesg, SMART), then run `holdfast verify` on this database.',
  },
  STORE_CORRUPT: {
    kind: 'unavailable',
    means: 'The file is damaged, or is not a SQLite database.',
    hint: 'Restore the last good backup: `holdfast restore <db> --from <backup>`.',
  },
  STORE_PERMISSION: {
    kind: 'failed',
    means: 'The operating system does not let us open or write the file.',
    hint: 'Check the owner and mode of the file and of its folder.',
  },
  STORE_CLOSED: {
    kind: 'failed',
    means: 'The database was used after it had been closed.',
    hint: 'This is a mistake in the program: keep the database open while work is under way.',
  },
  STORE_IN_USE: {
    kind: 'unavailable',
    means: 'The file cannot be replaced because another process has it open.',
    hint: 'Stop the server and other commands that use this database, then repeat.',
  },
  STORE_CONSTRAINT: {
    kind: 'conflict',
    means: 'A rule of the database (unique, foreign key, check) refused the change.',
    hint: 'Nothing was changed; correct the value and repeat.',
  },
  STORE_TEXT: {
    kind: 'usage',
    means: 'A text has a NUL character, at which SQLite would cut it off.',
    hint: 'Nothing was changed; take the character out and repeat.',
  },
  STORE_FAILED: {
    kind: 'failed',
    means: 'SQLite refused a statement for a reason that has no code of its own.',
    hint: 'The cause says which; nothing was changed.',
  },
  NOT_A_HOLDFAST_DATABASE: {
    kind: 'usage',
    means: 'The file is a SQLite database that Holdfast did not create.',
    hint: 'Use the `sqlite3` program for it; Holdfast does not touch it.',
  },
  NETWORK_FILE_SYSTEM: {
    kind: 'unavailable',
    means: 'The database lies on a network file system, where file locks cannot be trusted.',
    hint: 'Set HOLDFAST_HOME to a folder on a local disk.',
  },
  JOURNAL_TRIMMED: {
    kind: 'not_found',
    means: 'The revisions asked for are older than the journal keeps, or were never reached in this file.',
    hint: 'Read the current state and follow from the current revision; for older states use a backup.',
  },
  JOURNAL_DAMAGED: {
    kind: 'failed',
    means: 'An entry of the journal cannot be read, so earlier states cannot be restored past it. Nothing was changed.',
    hint: 'Use a backup for earlier states (`holdfast restore --from`). The current values do not depend on the journal.',
  },
  RESTORE_POINT_UNKNOWN: {
    kind: 'not_found',
    means: 'No commit within the retention matches the revision or time to restore to.',
    hint: '`holdfast changes <db>` lists what can be restored; older states are in the backups.',
  },
  RESTORE_CROSSES_SCHEMA: {
    kind: 'conflict',
    means: 'The schema of the tables was changed after the wanted commit, and undoing it is not possible.',
    hint: 'Restore the backup that was taken before the upgrade.',
  },
  BACKUP_INVALID: {
    kind: 'failed',
    means: 'A backup does not match its manifest, or does not pass the integrity check.',
    hint: 'Use another backup; this one must not be trusted.',
  },
  BACKUP_EXISTS: {
    kind: 'conflict',
    means: 'The target of a backup exists already.',
    hint: 'Choose another file name; a backup never overwrites anything.',
  },
});

/** SQLite's primary result codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

const tableByResult = {
  [BUSY]: storeErrors.STORE_BUSY,
  [LOCKED]: storeErrors.STORE_BUSY,
  [READONLY]: storeErrors.STORE_PERMISSION,
  [IOERR]: storeErrors.STORE_IO,
  [CORRUPT]: storeErrors.STORE_CORRUPT,
  [FULL]: storeErrors.STORE_FULL,
  [CANTOPEN]: storeErrors.STORE_PERMISSION,
  [CONSTRAINT]: storeErrors.STORE_CONSTRAINT,
  [NOTADB]: storeErrors.STORE_CORRUPT,
} as const;

/** SQLite's texts for these codes: some driver errors carry nothing else. */
const resultByText: ReadonlyMap<string, number> = new Map([
  ['database is locked', BUSY],
  ['database table is locked', LOCKED],
  ['attempt to write a readonly database', READONLY],
  ['disk I/O error', IOERR],
  ['database disk image is malformed', CORRUPT],
  ['database or disk is full', FULL],
  ['unable to open database file', CANTOPEN],
  ['constraint failed', CONSTRAINT],
  ['file is not a database', NOTADB],
]);
const ERROR = 1;

/** Returns SQLite's primary result code; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return resultByText.get(error.message) ?? ERROR;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

export function isConstraint(error: unknown): boolean {
  return resultCode(error) === CONSTRAINT;
}

/** True if SQLite cannot read the file. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOTADB;
}

/** System errors from copying, renaming and deleting files. */
const tableBySystemError: Readonly<Record<string, ErrorFactory>> = {
  ENOSPC: storeErrors.STORE_FULL,
  EDQUOT: storeErrors.STORE_FULL,
  EIO: storeErrors.STORE_IO,
  EACCES: storeErrors.STORE_PERMISSION,
  EPERM: storeErrors.STORE_PERMISSION,
  EROFS: storeErrors.STORE_PERMISSION,
  ENOTDIR: storeErrors.STORE_PERMISSION,
  EISDIR: storeErrors.STORE_PERMISSION,
  EEXIST: storeErrors.STORE_PERMISSION,
};

function definitionFor(code: number, path: string): ErrorFactory {
  if (code === IOERR && isDiskFull(path)) return storeErrors.STORE_FULL;
  return tableByResult[code as keyof typeof tableByResult] ?? storeErrors.STORE_FAILED;
}

/** Maps driver and file system errors to ours; others pass unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof HoldfastError || !(error instanceof Error)) return error;
  const code = resultCode(error);
  const build =
    code === undefined ? tableBySystemError[(error as NodeJS.ErrnoException).code ?? ''] : definitionFor(code, path);
  return build === undefined ? error : build(`${path}: ${error.message}`, { cause: error });
}

/** SQLite grows its shared memory in steps of this size and reports an I/O error when one does not fit. */
const SHARED_MEMORY_STEP = 32 * KIBIBYTE;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < SHARED_MEMORY_STEP;
  } catch {
    // Without free-space information, keep the original error.
    return false;
  }
}
