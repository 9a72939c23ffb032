import { accountErrors } from '../errors.ts';
import { limits } from './limits.ts';

/** Only what would break something is refused: whether an address works, only its mail server knows. */
const shape = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

export function parseEmail(typed: string): string {
  const email = typed.isWellFormed() ? typed.normalize('NFC').trim() : '';
  if (shape.test(email) && Buffer.byteLength(email) <= limits.emailBytes) return email;
  throw accountErrors.EMAIL_INVALID('This is not an e-mail address');
}

/** The unique form, stored in `idx:user:email:`. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
