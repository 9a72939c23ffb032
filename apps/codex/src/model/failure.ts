import { type HoldfastError, isHoldfastError } from '@holdfast/base';

import { codexErrors } from './errors.ts';
import type { FileEvent } from './event.ts';

/** System errors that may be temporary. Other system errors count as permanent failures of the operation. */
const PASSING: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EBUSY',
  'EDQUOT',
  'EINTR',
  'EIO',
  'EMFILE',
  'ENFILE',
  // Another program removed the folder. The next attempt creates it again.
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ETXTBSY',
  'STALE_READ',
]);

/** Transient machine errors, such as a full disk: retried without limit. */
const OUTSIDE: ReadonlySet<string> = new Set(['EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC']);

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** True if the same operation may succeed later. */
  readonly isTransient: boolean;
  /** True if the cause is outside the operation, such as a full disk. The operation is retried until it succeeds. */
  readonly isOutside: boolean;
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (isHoldfastError(error)) {
    const isUnavailable = error.kind === 'unavailable';
    return { code: error.code, message, isTransient: isUnavailable, isOutside: isUnavailable };
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'UNEXPECTED';
  if (code === 'EXDEV') return failureOf(codexErrors.OTHER_DISK('The file would have to move to another disk'));
  // Removes paths such as /proc/self/fd/7, which mean nothing to users.
  const told = message.replace(/, \w+ '\/proc\/self\/fd\/.*$/su, '');
  return { code, message: told, isTransient: PASSING.has(code), isOutside: OUTSIDE.has(code) };
}

export function staleRead(path: string): Error {
  return Object.assign(new Error(`${path} changed while it was being read`), { code: 'STALE_READ' });
}

/**
 * Returns the delay before the next attempt: random, up to a limit that doubles with each attempt. The randomness (full
 * jitter) prevents operations that failed together from retrying together.
 */
export function backoffMs(tries: number, baseMs: number, maxMs: number, random: () => number): number {
  const limit = Math.min(maxMs, baseMs * 2 ** Math.max(0, tries - 1));
  return Math.round(random() * limit);
}

export function eventError(event: FileEvent): HoldfastError {
  const message = event.error_message ?? `Event ${event.id} is ${event.status}`;
  const { id, status, correlation_id, error_code: code } = event;
  const known = new Map(Object.entries(codexErrors)).get(code ?? '');
  const batch = correlation_id === null ? {} : { correlation_id };
  return (known ?? codexErrors.EVENT_FAILED)(message, { details: { event_id: id, status, ...batch } });
}

/** The part of the work on a notebook that failed. */
export type ProblemSource = 'queue' | 'notes' | 'watching' | 'git' | 'remote';

/** Stores the current problem of each part until that part works again. */
export interface ProblemReporter {
  report(notebookId: number, source: ProblemSource, error: unknown): void;
  clear(notebookId: number, source: ProblemSource): void;
}
