/**
 * `normalize` of the seed, so that ids agree with those of a program in Go: strings.TrimSpace, strings.ToLower, NFC.
 *
 * JavaScript's own functions differ. `trim` removes U+FEFF and keeps U+0085; `toLowerCase` looks at the neighbours
 * (a final Σ becomes ς) and turns İ into two characters. Go goes character by character.
 */

/** White_Space of Unicode, which is what Go's unicode.IsSpace knows. */
const SPACE = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'gu');

const ONLY_ASCII = /^[\0-\x7f]*$/u;

export function normalize(text: string): string {
  const trimmed = text.replaceAll(OUTER_SPACE, '');
  if (ONLY_ASCII.test(trimmed)) return trimmed.toLowerCase();
  return Array.from(trimmed, lowerCase).join('').normalize('NFC');
}

function lowerCase(character: string): string {
  // The only character whose lower case alone has two characters in JavaScript.
  return character === '\u0130' ? 'i' : character.toLowerCase();
}
