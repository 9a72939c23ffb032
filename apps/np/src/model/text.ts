import { KIBIBYTE } from '@holdfast/base';
import { npErrors } from './errors.ts';

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
