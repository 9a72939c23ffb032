import { isHoldfastError } from '@holdfast/base';

/** What the system says about a moment; everything else it says is about the operation and will not change. */
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

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Whether the same operation may succeed later. */
  readonly isTransient: boolean;
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (isHoldfastError(error)) return { code: error.code, message, isTransient: error.kind === 'unavailable' };
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'UNEXPECTED';
  return { code, message, isTransient: PASSING.has(code) };
}

/** The file changed while it was read: look again later. */
export function staleRead(path: string): Error {
  return Object.assign(new Error(`${path} was changed while it was read`), { code: 'STALE_READ' });
}
