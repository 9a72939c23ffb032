/**
 * `normalize` of the design document, so that ids agree with a program in Go: strings.TrimSpace, strings.ToLower, NFC.
 *
 * JavaScript's own functions differ. `trim` removes U+FEFF and keeps U+0085; `toLowerCase` depends on neighbours
 * (a final Σ becomes ς) and turns İ into two characters. Go converts each character alone.
 */

/** Unicode White_Space, as in Go's unicode.IsSpace. */
const SPACE = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'gu');

const ONLY_ASCII = /^[\0-\x7f]*$/u;

export function normalize(text: string): string {
  const trimmed = text.replaceAll(OUTER_SPACE, '');
  if (ONLY_ASCII.test(trimmed)) return trimmed.toLowerCase();
  return Array.from(trimmed, lowerCase).join('').normalize('NFC');
}

function lowerCase(character: string): string {
  // The only character that JavaScript lowercases to two.
  return character === '\u0130' ? 'i' : character.toLowerCase();
}
