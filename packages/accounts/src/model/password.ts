import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';
import { foldUsername } from './user.ts';

/**
 * Password rules, and the normalised form that is hashed.
 *
 * Passwords are normalised to NFKC, as NIST SP 800-63B recommends. So a password matches even if another keyboard
 * composes its characters differently or types full-width letters. (NFC would not unify full-width and ordinary
 * letters.) Passwords are not trimmed, case-folded or truncated.
 */

/** Counts bytes before normalising, so nobody can make the server normalise or hash megabytes. */
export function passwordForm(typed: string): string {
  if (Buffer.byteLength(typed) > limits.passwordBytes) {
    throw accountErrors.PASSWORD_UNUSABLE(`A password must have at most ${limits.passwordBytes} bytes`);
  }
  if (!typed.isWellFormed()) throw accountErrors.PASSWORD_UNUSABLE('The password is not valid Unicode text');
  return typed.normalize('NFKC');
}

/** Applies to new passwords only: passwords that were accepted earlier keep working under stricter rules. */
export function newPasswordForm(typed: string, names: readonly (string | null)[]): string {
  const password = passwordForm(typed);
  const characters = codePoints(password);
  if (characters.length < limits.passwordCharactersMin) {
    throw accountErrors.PASSWORD_WEAK(
      `A password must have at least ${limits.passwordCharactersMin} characters; this one has ${characters.length}`,
    );
  }
  if (isGuessable(password, characters, names)) {
    throw accountErrors.PASSWORD_WEAK('This password is too easy to guess');
  }
  return password;
}

const DISTINCT_MIN = 5;

/** Most long passwords in leaks are repetitions, keyboard rows, or one of these words with a number. */
const firstWords = /^(?:password|passwort|letmein|welcome|iloveyou|administrator|changeme|holdfast)[^a-z]*$/;
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '12345678901234567890',
];

function isGuessable(password: string, characters: readonly string[], names: readonly (string | null)[]): boolean {
  const folded = password.toLowerCase();
  if (new Set(characters).size < DISTINCT_MIN) return true;
  if (firstWords.test(folded)) return true;
  if (rows.some((row) => row.includes(folded) || codePoints(row).reverse().join('').includes(folded))) return true;
  return names.some((name) => name !== null && foldUsername(name) === foldUsername(password));
}
