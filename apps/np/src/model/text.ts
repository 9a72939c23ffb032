import { DAY, HOUR, isBlank, KIBIBYTE, MINUTE, SECOND } from '@holdfast/base';
import { operationErrors } from '@holdfast/operation';
import { npErrors } from './errors.ts';
import { type Status, statusNeedsReason } from './plan.ts';

const TEXT_BYTES_MAX: number = 64 * KIBIBYTE;

/** Checks a text. Accepts any Unicode and any number of lines, up to 64 KiB. */
export function checkText(text: string, name: string): string {
  if (!text.isWellFormed()) throw npErrors.TEXT_INVALID(`The ${name} is not valid Unicode.`);
  const bytes = Buffer.byteLength(text);
  if (bytes <= TEXT_BYTES_MAX) return text;
  throw npErrors.TEXT_TOO_LONG(`The ${name} has ${bytes} bytes; the limit is ${TEXT_BYTES_MAX} (64 KiB).`);
}

export function checkTitle(text: string): string {
  if (isBlank(text)) throw npErrors.TEXT_INVALID('The title is empty.');
  return checkText(text, 'title');
}

export function checkNote(text: string): string {
  if (isBlank(text)) throw npErrors.TEXT_INVALID('The note is empty.');
  return checkText(text, 'note');
}

/** Treats blank reasons as missing. */
export function checkReason(reason: string | undefined): string | undefined {
  return reason === undefined || reason.trim() === '' ? undefined : checkText(reason, 'reason');
}

/** Treats a blank name as missing. */
export function checkActor(actor: string | undefined): string | undefined {
  return actor === undefined || actor.trim() === '' ? undefined : checkText(actor, 'name of the actor');
}

export function requireActor(actor: string | undefined): string {
  if (actor !== undefined) return actor;
  throw operationErrors.INPUT_INVALID('actor: a claim needs the name of its actor', {
    hint: 'Give a name with --actor or NP_ACTOR.',
  });
}

const MS_BY_UNIT: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Returns a duration such as `30m` in milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,3})([smhd])$/u.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (MS_BY_UNIT[unit] ?? 0);
  throw operationErrors.INPUT_INVALID(`for: "${text}" is not a duration`, {
    hint: 'Use a number and a unit: 90s, 30m, 2h or 1d.',
  });
}

export interface TaskUpdate {
  readonly id: string;
  readonly status?: Status | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** A note to add to the task. */
  readonly note?: string | undefined;
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
