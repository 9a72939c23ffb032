import { defineErrors, HoldfastError } from '@holdfast/base';
import { storeErrors } from '@holdfast/sqlite';

export const postgresErrors = defineErrors({
  STORE_ADDRESS_INVALID: {
    kind: 'usage',
    means: 'The PostgreSQL server address is not valid.',
    hint: 'Write it as postgres://USER@HOST:PORT/DATABASE, and put the password into PGPASSWORD or ~/.pgpass.',
  },
  STORE_UNREACHABLE: {
    kind: 'unavailable',
    means: 'No PostgreSQL server at the address accepts writes. Nothing was changed.',
    hint: 'Check that the server is running and accepts the user and password; the message gives the reason.',
  },
  STORE_UNSUITABLE: {
    kind: 'failed',
    means:
      'The PostgreSQL database cannot store the keyspace: it has the wrong encoding or sorts keys in the wrong order.',
    hint: 'Create a database with: createdb --encoding=UTF8 --template=template0 NAME',
  },
  STORE_IN_DOUBT: {
    kind: 'unavailable',
    means:
      'The connection to PostgreSQL was lost during a commit, and no server said in time whether the commit was made.',
    hint: 'Before you repeat the change, check whether it was made.',
  },
});

/** Raised by the functions in the schema if a space accepts no commits; the detail names the new store. */
export const SPACE_CLOSED = 'HF001';

interface DatabaseError extends Error {
  readonly code?: string;
  readonly detail?: string;
}

export function codeOf(error: unknown): string {
  return (error as DatabaseError).code ?? '';
}

/**
 * Returns whether the answer was lost because the connection broke or the server is being stopped. A commit may or may
 * not have been made.
 */
export function isConnectionLost(error: unknown): boolean {
  return /^(08|57P0[1235]|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|ENOENT|EAI_AGAIN)/.test(
    codeOf(error),
  );
}

/** Returns whether it is certain that the server did nothing, and a retry on this or another server may succeed. */
export function isWorthRepeating(error: unknown): boolean {
  return /^(40001|40P01|25006|53300|57P04|55P03|57014|26000|42P05|08P01|HF_AGAIN)$/.test(codeOf(error));
}

/** Maps PostgreSQL's errors to ours. Never includes the values in a statement. */
export function toStoreError(error: unknown, place: string): unknown {
  if (error instanceof HoldfastError || !(error instanceof Error)) return error;
  const message = `${place}: ${error.message}`;
  const code = codeOf(error);
  if (code === SPACE_CLOSED) {
    const to = (error as DatabaseError).detail ?? '';
    return storeErrors.STORE_MOVED(`${place} ${to === '' ? 'is being moved' : `has moved to ${to}`}`);
  }
  if (/^(53100|53200)$/.test(code)) return storeErrors.STORE_FULL(message, { cause: error });
  if (code === '42501') return storeErrors.STORE_PERMISSION(message, { cause: error });
  if (code.startsWith('58')) return storeErrors.STORE_IO(message, { cause: error });
  if (code.startsWith('XX')) return storeErrors.STORE_CORRUPT(message, { cause: error });
  if (isConnectionLost(error) || isWorthRepeating(error) || /^(28|3D|57)/.test(code)) {
    return postgresErrors.STORE_UNREACHABLE(message, { cause: error });
  }
  return code === '' ? error : storeErrors.STORE_FAILED(message, { cause: error });
}
