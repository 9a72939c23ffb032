/**
 * Orders keys by their UTF-8 bytes, as SQLite and PostgreSQL (COLLATE "C") do. JavaScript compares UTF-16 code units,
 * so it orders surrogate pairs and characters above U+DFFF differently.
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

/** Ranks surrogates above all other code units, because characters made of surrogates sort last in UTF-8. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/**
 * Returns the upper bound of a prefix scan: the smallest key above every key with this prefix. Template prefixes end in
 * ASCII, so incrementing the last character is exact.
 */
export function prefixSuccessor(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  if (last < 0x7f) return prefix.slice(0, -1) + String.fromCharCode(last + 1);
  // A prefix that a person typed may end in any character. U+10FFFF sorts last in UTF-8 and cannot occur in our keys.
  return `${prefix}\u{10ffff}`;
}

/** Returns a bound above this key and below all later keys. It ends with a control character, which no key contains. */
export function afterKey(key: string): string {
  return `${key}\u0001`;
}
