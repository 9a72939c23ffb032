import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';

/**
 * Usernames that cannot be confused with each other.
 *
 * Two names are equal when their folded forms are: NFKC, then upper case and lower case, which joins ß and ss, ς and σ,
 * ı and i. Letters must come from one script, so no Cyrillic а hides in a Latin name. Names made only of Latin
 * lookalikes are rejected, and Latin letters need an ASCII base, with few exceptions.
 */

/** Combining marks are allowed only in scripts that need them; elsewhere two spellings would look alike. */
const scripts: readonly RegExp[] = [
  /^(?!\p{M})\p{Script=Latin}$/u,
  /^(?!\p{M})\p{Script=Greek}$/u,
  /^(?!\p{M})\p{Script=Cyrillic}$/u,
  /^(?!\p{M})\p{Script=Arabic}$/u,
  /^(?!\p{M})\p{Script=Hebrew}$/u,
  /^(?!\p{M})\p{Script=Hangul}$/u,
  // Japanese is written in three scripts at once; ー belongs to two of them.
  /^(?!\p{M})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u,
  /^\p{Script=Devanagari}$/u,
  /^\p{Script=Thai}$/u,
];

const shape = /^[\p{L}0-9][\p{L}\p{M}0-9]*(?:[._-][\p{L}0-9][\p{L}\p{M}0-9]*)*$/u;
const ulidShape = /^[0-9a-z]{26}$/i;
const latinLetter = /^[a-zæœøßþðđłħŋı]$/u;

/** Returns the name as stored and shown, in NFKC; throws an error that explains what is wrong. */
export function parseUsername(typed: string): string {
  const name = typed.isWellFormed() ? typed.normalize('NFKC') : '';
  const length = codePoints(name).length;
  if (length === 0 || length > limits.usernameCharacters) {
    throw accountErrors.USERNAME_INVALID(`A user name has 1 to ${limits.usernameCharacters} characters`);
  }
  if (!shape.test(name)) {
    throw accountErrors.USERNAME_INVALID('A user name consists of letters and digits, with single . _ - between them');
  }
  if (ulidShape.test(name)) {
    throw accountErrors.USERNAME_INVALID('A user name must not look like the id of a user');
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
    throw accountErrors.USERNAME_INVALID('A user name takes its letters from one script; this one mixes several');
  }
  const isLatin = script === scripts[0];
  if (isLatin && !letters.every((letter) => latinLetter.test(withoutMarks(letter)))) {
    throw accountErrors.USERNAME_INVALID('A user name in Latin letters uses those of ordinary alphabets');
  }
  if (!isLatin && letters.length > 0 && letters.every(looksLatin)) {
    throw accountErrors.USERNAME_INVALID('Every letter of this name looks like a Latin one; write it in Latin letters');
  }
}

function looksLatin(letter: string): boolean {
  return latinLookalikes.has(withoutMarks(letter));
}

function withoutMarks(letter: string): string {
  return letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/**
 * Lower-case Greek and Cyrillic letters that look Latin in common fonts, in either case (Unicode UTS #39 confusables).
 * A name made only of these could pass for a Latin one.
 */
const cyrillic = 'авекмнорстухіјѕһԁԛԝүӏеґ';
const greek = 'αβγεζηικμνορτυχω';

const latinLookalikes: ReadonlySet<string> = new Set(codePoints(cyrillic + greek));
