import { KIBIBYTE } from '@holdfast/base';
import { npErrors } from './errors.ts';
import { type Status, statusNeedsReason } from './plan.ts';

const TEXT_BYTES_MAX: number = 64 * KIBIBYTE;

/** Accepts any Unicode and any number of lines, up to 64 KiB. */
export function checkText(text: string, name: string): string {
  if (!text.isWellFormed()) throw npErrors.TEXT_INVALID(`The ${name} is not valid Unicode.`);
  const bytes = Buffer.byteLength(text);
  if (bytes <= TEXT_BYTES_MAX) return text;
  throw npErrors.TEXT_TOO_LONG(`The ${name} has ${bytes} bytes; the limit is ${TEXT_BYTES_MAX} (64 KiB).`);
}

export function checkTitle(text: string): string {
  if (text.trim() === '') throw npErrors.TEXT_INVALID('The title is empty.');
  return checkText(text, 'title');
}

/** Treats blank reasons as missing. */
export function checkReason(reason: string | undefined): string | undefined {
  return reason === undefined || reason.trim() === '' ? undefined : checkText(reason, 'reason');
}

export interface TaskUpdate {
  readonly id: string;
  readonly status?: Status | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** Rejects the update unless the task still has this version. */
  readonly if_version?: number | undefined;
}

/** Only rewording, failing and cancelling require a reason. */
export function updateNeedsReason({ status, title, description }: TaskUpdate): boolean {
  return title !== undefined || description !== undefined || (status !== undefined && statusNeedsReason(status));
}

export function requireReason(reason: string | undefined, what: string): string {
  if (reason !== undefined) return reason;
  throw npErrors.REASON_REQUIRED(`${what} requires a reason (-r/--reason).`);
}
