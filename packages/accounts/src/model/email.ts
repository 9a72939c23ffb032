import { accountErrors } from '../errors.ts';
import { limits } from './limits.ts';

/** Rejects only addresses that would break something; only the mail server knows whether one works. */
const shape = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

export function parseEmail(typed: string): string {
  const email = typed.isWellFormed() ? typed.normalize('NFC').trim() : '';
  if (shape.test(email) && Buffer.byteLength(email) <= limits.emailBytes) return email;
  throw accountErrors.EMAIL_INVALID('This is not an e-mail address');
}

/** Returns the unique form, stored in `idx:user:email:`. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
