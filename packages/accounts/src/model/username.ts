import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';

/**
 * Names that cannot be mistaken for one another.
 *
 * Two names are the same when their folded forms are: NFKC, then lower case by way of upper case, which joins what
 * lower case alone leaves apart (ß and ss, ς and σ, ı and i). Beyond that, letters come from one script only, so that
 * no Cyrillic а hides in a Latin name; a name made wholly of letters that look Latin is refused; and of the Latin
 * script only letters with an ASCII base, and few others, are taken.
 */

/** Marks are letters' own business: where a script does not need them, two spellings would look alike. */
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

/** The name as it is kept and shown: NFKC, or an error that says what is wrong with it. */
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

/** The unique form, stored in `idx:user:username:`. */
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
 * Greek and Cyrillic letters, in lower case, that look like Latin ones in common fonts, in either case (from the
 * confusables of Unicode UTS #39). A name made of nothing else could pass for a Latin name.
 */
const cyrillic = 'авекмнорстухіјѕһԁԛԝүӏеґ';
const greek = 'αβγεζηικμνορτυχω';

const latinLookalikes: ReadonlySet<string> = new Set(codePoints(cyrillic + greek));
