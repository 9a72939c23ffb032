/**
 * The order of keys is the order of their UTF-8 bytes, which is what SQLite and PostgreSQL (COLLATE "C") use. JavaScript
 * compares UTF-16 code units, which differs where a surrogate pair meets a character from U+E000 up.
 */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Moves surrogates above the rest of the basic plane, where their UTF-8 bytes are. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/**
 * The smallest key that is greater than every key with this prefix: the upper bound of a prefix scan. Prefixes end in
 * ASCII (a delimiter or a literal), so adding one to the last character is exact.
 */
export function prefixSuccessor(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  if (last < 0x7f) return prefix.slice(0, -1) + String.fromCharCode(last + 1);
  // A prefix that a person typed may end anywhere. U+10FFFF sorts last in UTF-8 and cannot occur in our keys.
  return `${prefix}\u{10ffff}`;
}

/** A bound just above this key and below every other: keys contain no control characters. */
export function afterKey(key: string): string {
  return `${key}\u0001`;
}
