import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { defineErrors, type ErrorFactory, HoldfastError, KIBIBYTE, permissionErrors } from '@holdfast/base';

const ownErrors = defineErrors({
  STORE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The database file does not exist.',
    hint: 'Check the name or path; `holdfast doctor` lists the databases that exist.',
  },
  STORE_BUSY: {
    kind: 'unavailable',
    means: 'This process waited for the write lock, but no process committed for 30 seconds. Nothing was changed.',
    hint: 'Try again. If the error persists, look for a program that keeps a transaction open on this file.',
  },
  STORE_FULL: {
    kind: 'unavailable',
    means: 'The disk is full. The transaction was rolled back and not acknowledged.',
    hint: 'Free some space and repeat the command; the database needs no repair.',
  },
  STORE_IO: {
    kind: 'unavailable',
    means: 'The operating system reported an error while reading or writing. The transaction was not acknowledged.',
    hint: 'Check the disk (dmesg, SMART), then run `holdfast verify` on this database.',
  },
  STORE_CORRUPT: {
    kind: 'unavailable',
    means: 'The file is damaged, or is not a SQLite database.',
    hint: 'Run `holdfast verify <db> --repair`. If problems remain, restore the last good backup: `holdfast restore <db> --from <backup>`.',
  },
  STORE_CLOSED: {
    kind: 'failed',
    means: 'The program used the database after closing it.',
    hint: 'This is a bug: the program must keep the database open until all work is done. Please report it.',
  },
  STORE_IN_USE: {
    kind: 'unavailable',
    means: 'The file cannot be replaced because another process has it open.',
    hint: 'Stop the server and other commands that use this database, then try again.',
  },
  STORE_CONSTRAINT: {
    kind: 'conflict',
    means: 'A database constraint (unique, foreign key, check) rejected the change.',
    hint: 'Nothing was changed; correct the value and try again.',
  },
  STORE_TEXT: {
    kind: 'usage',
    means: 'The text contains a NUL character, at which SQLite would cut the text off.',
    hint: 'Nothing was changed; remove the character and try again.',
  },
  STORE_FAILED: {
    kind: 'failed',
    means: 'SQLite rejected a statement for a reason that has no error code of its own.',
    hint: 'Nothing was changed. The message gives the reason; if you cannot resolve it, please report the error.',
  },
  NOT_A_HOLDFAST_DATABASE: {
    kind: 'usage',
    means: 'The file is a SQLite database that Holdfast did not create.',
    hint: 'Use the `sqlite3` program instead; Holdfast does not change this file.',
  },
  STORE_NOT_A_FILE: {
    kind: 'usage',
    means: 'The database is on a PostgreSQL server, but the command needs a database file.',
    hint: 'Use pg_dump or pg_basebackup for backups of PostgreSQL.',
  },
  STORE_MOVED: {
    kind: 'unavailable',
    means: 'The database has moved to another store, or is being moved. The old store accepts no writes.',
    hint: 'Use the store that the message names. If a move was interrupted, repeat it, or undo it with `holdfast move <db> --cancel`.',
  },
  MOVE_REPLACED: {
    kind: 'conflict',
    means:
      'Another process started or cancelled a move of the same database. Your move was stopped and changed nothing.',
    hint: 'Wait until the other process has finished.',
  },
  NETWORK_FILE_SYSTEM: {
    kind: 'unavailable',
    means: 'The database is on a network file system, where file locks are not reliable.',
    hint: 'Set HOLDFAST_HOME to a folder on a local disk.',
  },
  JOURNAL_TRIMMED: {
    kind: 'not_found',
    means: 'The requested revisions are no longer in the journal, or do not exist in this file.',
    hint:
      'To follow changes, read the current state and continue from its revision. To see an older state, use a ' +
      'backup.',
  },
  JOURNAL_DAMAGED: {
    kind: 'failed',
    means:
      'A journal entry cannot be read, so the journal cannot restore any state before this entry. Nothing was changed.',
    hint: 'Restore an earlier state from a backup (`holdfast restore --from`). Current values are not affected.',
  },
  RESTORE_POINT_UNKNOWN: {
    kind: 'not_found',
    means: 'The journal has no commit for the requested revision or time.',
    hint: '`holdfast changes <db>` lists the revisions in the journal; use a backup for older states.',
  },
  RESTORE_CROSSES_SCHEMA: {
    kind: 'conflict',
    means: 'The table schema changed after the requested commit, and a schema change cannot be undone.',
    hint: 'Restore a backup from before the upgrade.',
  },
  BACKUP_INVALID: {
    kind: 'failed',
    means: 'The backup does not match its manifest, or fails the integrity check.',
    hint: 'Use another backup; do not trust this one.',
  },
  BACKUP_EXISTS: {
    kind: 'conflict',
    means: 'The target file already exists.',
    hint: 'Choose another file name; existing files are never overwritten.',
  },
});

export const storeErrors: typeof ownErrors & typeof permissionErrors = { ...ownErrors, ...permissionErrors };

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

/** SQLite's messages by result code: some driver errors contain only the message. */
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
  // SQLite reports an unknown format version in the file header as a general error.
  if (error.message === 'unsupported file format') return CORRUPT;
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

/** Returns true if SQLite finds that the file is damaged or is not a database. */
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

const FENCED = 'STORE_MOVED ';

/** Creates the error for a database that has moved; its fence says where. */
function movedError(path: string, error: Error): Error {
  const [state, , ...place] = error.message.slice(FENCED.length).split(' ');
  const verb = state === 'moved' ? 'has moved' : 'is being moved';
  return storeErrors.STORE_MOVED(`${path} ${verb} to ${place.join(' ')}`, { cause: error });
}

/** Matches the driver's error for large integers, which Holdfast never stores. */
const UNREADABLE_NUMBER = /too large to be represented as a JavaScript number/;

/** Maps driver and file system errors to ours; others pass unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof HoldfastError || !(error instanceof Error)) return error;
  if (UNREADABLE_NUMBER.test(error.message))
    return storeErrors.STORE_CORRUPT(`${path}: ${error.message}`, { cause: error });
  const code = resultCode(error);
  if (code === CONSTRAINT && error.message.startsWith(FENCED)) return movedError(path, error);
  const build =
    code === undefined ? tableBySystemError[(error as NodeJS.ErrnoException).code ?? ''] : definitionFor(code, path);
  return build === undefined ? error : build(`${path}: ${error.message}`, { cause: error });
}

/** SQLite grows the `-shm` file in steps of this size; if the disk has no room for a step, it reports an I/O error. */
const SHARED_MEMORY_STEP = 32 * KIBIBYTE;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < SHARED_MEMORY_STEP;
  } catch {
    // The free space is unknown, so the original error is kept.
    return false;
  }
}
