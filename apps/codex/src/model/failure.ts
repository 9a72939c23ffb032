import { type HoldfastError, isHoldfastError } from '@holdfast/base';

import { codexErrors } from './errors.ts';
import type { FileEvent } from './event.ts';

/** Errors of the system that may pass. All others are about the operation itself and will not change. */
const PASSING: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EBUSY',
  'EDQUOT',
  'EINTR',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'ETXTBSY',
  'STALE_READ',
]);

/** Of these, what is wrong with the machine: it is over when somebody makes space, however many tries that takes. */
const OUTSIDE: ReadonlySet<string> = new Set(['EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC']);

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Whether the same operation may succeed later. */
  readonly isTransient: boolean;
  /** Whether it says nothing about the operation, which is then tried until it succeeds. */
  readonly isOutside: boolean;
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (isHoldfastError(error)) {
    const isUnavailable = error.kind === 'unavailable';
    return { code: error.code, message, isTransient: isUnavailable, isOutside: isUnavailable };
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'UNEXPECTED';
  if (code === 'EXDEV') return failureOf(codexErrors.OTHER_DISK('It would have to go from one disk to another'));
  return { code, message, isTransient: PASSING.has(code), isOutside: OUTSIDE.has(code) };
}

/** The file changed while it was read: look again later. */
export function staleRead(path: string): Error {
  return Object.assign(new Error(`${path} was changed while it was read`), { code: 'STALE_READ' });
}

/**
 * How long to wait before the next try: the limit doubles with each, and the wait is anything up to it. Full jitter,
 * so that what failed together does not come back together.
 */
export function backoffMs(tries: number, baseMs: number, maxMs: number, random: () => number): number {
  const limit = Math.min(maxMs, baseMs * 2 ** Math.max(0, tries - 1));
  return Math.round(random() * limit);
}

/** The error of a failed operation, as if it had been thrown here. */
export function eventError(event: FileEvent): HoldfastError {
  const message = event.error_message ?? `Event ${event.id} is ${event.status}`;
  const known = (codexErrors as Readonly<Record<string, (typeof codexErrors)['EVENT_FAILED']>>)[event.error_code ?? ''];
  return (known ?? codexErrors.EVENT_FAILED)(message, { details: { event_id: event.id, status: event.status } });
}
