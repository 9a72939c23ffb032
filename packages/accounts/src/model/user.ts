import { z } from 'zod';

import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';
import { roleNames } from './names.ts';
import { moment } from './time.ts';

/** Stored under `u:{id}`. Contains no secret; the password hash is in `ua:{id}`. */
export const userSchema = z.object({
  id: z.ulid(),
  username: z.string().min(1),
  email: z.string().nullable(),
  created_at: moment,
  updated_at: moment,
  roles: z.array(z.enum(roleNames)).min(1),
  status: z.enum(['active', 'disabled']),
  version: z.literal(1),
});

export type User = Readonly<z.infer<typeof userSchema>>;

/** Stored under `ua:{id}`. A user without this record cannot sign in with a password. */
export const credentialSchema = z.object({
  user_id: z.ulid(),
  /** An imported bcrypt hash is replaced at the next sign-in. */
  password_hash_algo: z.enum(['argon2id', 'bcrypt']),
  /** A PHC string carries its own parameters, so a new policy locks nobody out. */
  password_hash: z.string().regex(/^\$(?:argon2id|2[aby])\$/),
  created_at: moment,
  updated_at: moment,
  version: z.literal(1),
});

export type Credential = Readonly<z.infer<typeof credentialSchema>>;

export function isActiveAdmin(user: User): boolean {
  return user.status === 'active' && user.roles.includes('admin');
}

/**
 * Usernames that cannot be confused with each other.
 *
 * Two names are equal if their folded forms are equal. Folding applies NFKC, then upper case, then lower case. So ß
 * equals ss, ς equals σ, and ı equals i. Letters must come from one script, so a Latin name cannot contain a Cyrillic
 * а. Names made only of Latin lookalikes are rejected, and Latin letters need an ASCII base, with few exceptions.
 */

/**
 * Combining marks are allowed only in scripts that need them; in other scripts, two spellings of a name could look
 * alike.
 */
const scripts: readonly RegExp[] = [
  /^(?!\p{M})\p{Script=Latin}$/u,
  /^(?!\p{M})\p{Script=Greek}$/u,
  /^(?!\p{M})\p{Script=Cyrillic}$/u,
  /^(?!\p{M})\p{Script=Arabic}$/u,
  /^(?!\p{M})\p{Script=Hebrew}$/u,
  /^(?!\p{M})\p{Script=Hangul}$/u,
  // Japanese mixes three scripts; ー belongs to two of them.
  /^(?!\p{M})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u,
  /^\p{Script=Devanagari}$/u,
  /^\p{Script=Thai}$/u,
];

const usernameShape = /^[\p{L}0-9][\p{L}\p{M}0-9]*(?:[._-][\p{L}0-9][\p{L}\p{M}0-9]*)*$/u;
const ulidShape = /^[0-9a-z]{26}$/i;
const latinLetter = /^[a-zæœøßþðđłħŋı]$/u;

/** Returns the name as stored and shown, in NFKC; throws an error that explains what is wrong. */
export function parseUsername(typed: string): string {
  const name = typed.isWellFormed() ? typed.normalize('NFKC') : '';
  const length = codePoints(name).length;
  if (length === 0 || length > limits.usernameCharacters) {
    throw accountErrors.USERNAME_INVALID(`A user name must have 1 to ${limits.usernameCharacters} characters`);
  }
  if (!usernameShape.test(name)) {
    throw accountErrors.USERNAME_INVALID(
      'A user name may contain only letters and digits, with single . _ - between them',
    );
  }
  if (ulidShape.test(name)) {
    throw accountErrors.USERNAME_INVALID('A user name must not look like a user id');
  }
  refuseLookalikes(name);
  return name;
}

/** Returns the unique form, stored in `idx:user:username:`. */
export function foldUsername(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

function refuseLookalikes(name: string): void {
  const letters = codePoints(name).filter((character) => /[\p{L}\p{M}]/u.test(character));
  const script = scripts.find((pattern) => letters.every((letter) => pattern.test(letter)));
  if (letters.length > 0 && script === undefined) {
    throw accountErrors.USERNAME_INVALID('All letters in a user name must be from one script; this name mixes several');
  }
  const isLatin = script === scripts[0];
  if (isLatin && !letters.every((letter) => latinLetter.test(withoutMarks(letter)))) {
    throw accountErrors.USERNAME_INVALID('This user name contains a Latin letter that is not allowed');
  }
  if (!isLatin && letters.length > 0 && letters.every(looksLatin)) {
    throw accountErrors.USERNAME_INVALID(
      'Every letter of this name looks like a Latin letter; write it in Latin letters',
    );
  }
}

function looksLatin(letter: string): boolean {
  return latinLookalikes.has(withoutMarks(letter));
}

function withoutMarks(letter: string): string {
  return letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/**
 * Greek and Cyrillic letters whose lower-case or upper-case form looks Latin in common fonts (Unicode UTS #39
 * confusables). A name made only of these could pass for a Latin one.
 */
const cyrillic = 'авекмнорстухіјѕһԁԛԝүӏеґ';
const greek = 'αβγεζηικμνορτυχω';

const latinLookalikes: ReadonlySet<string> = new Set(codePoints(cyrillic + greek));

/** Rejects only addresses that would break storage or display; only the mail server knows whether an address works. */
const emailShape = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

export function parseEmail(typed: string): string {
  const email = typed.isWellFormed() ? typed.normalize('NFC').trim() : '';
  if (emailShape.test(email) && Buffer.byteLength(email) <= limits.emailBytes) return email;
  throw accountErrors.EMAIL_INVALID('This is not a valid e-mail address');
}

/** Returns whether this is the user's name or e-mail address. Names contain no `@`. */
export function isNameOf(user: Pick<User, 'username' | 'email'>, typed: string): boolean {
  if (!typed.includes('@')) return foldUsername(user.username) === foldUsername(typed);
  return user.email !== null && foldEmail(user.email) === foldEmail(typed.trim());
}

/** Returns the unique form, stored in `idx:user:email:`. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
