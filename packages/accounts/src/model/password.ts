import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';
import { foldUsername } from './username.ts';

/**
 * Rules for passwords, and the form in which they are hashed.
 *
 * NFKC, as NIST SP 800-63B asks: the same password typed on another keyboard, in another composition or width, is the
 * same password. (NFC would keep full-width and half-width apart, which an input method may choose for the person.)
 * Nothing else is changed: no trimming, no case, no cutting off.
 */

/** The bytes count before normalisation, so that nobody can make us normalise or hash megabytes. */
export function passwordForm(typed: string): string {
  if (Buffer.byteLength(typed) > limits.passwordBytes) {
    throw accountErrors.PASSWORD_UNUSABLE(`A password has at most ${limits.passwordBytes} bytes`);
  }
  if (!typed.isWellFormed()) throw accountErrors.PASSWORD_UNUSABLE('The password is not valid Unicode text');
  return typed.normalize('NFKC');
}

/** For a new password only: one that was accepted earlier keeps working. */
export function newPasswordForm(typed: string, names: readonly (string | null)[]): string {
  const password = passwordForm(typed);
  const characters = codePoints(password);
  if (characters.length < limits.passwordCharactersMin) {
    throw accountErrors.PASSWORD_WEAK(
      `A password has at least ${limits.passwordCharactersMin} characters; this one has ${characters.length}`,
    );
  }
  if (isGuessable(password, characters, names)) {
    throw accountErrors.PASSWORD_WEAK('This password is among the first that anybody would try');
  }
  return password;
}

const DISTINCT_MIN = 5;

/** Long passwords at the top of the lists of leaked ones are repetitions, rows of keys, and these words with a number. */
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
