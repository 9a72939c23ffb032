const HUES = 360;

/** Up to two initials of a title in any script; a digit if it has no letters. */
export function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const telling = words.filter((word) => !articles.has(word.toLowerCase()));
  const chosen = (telling.length === 0 ? words : telling).slice(0, 2);
  return chosen.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase()).join('') || '–';
}

const articles = new Set(['a', 'an', 'the', 'of', 'and', 'der', 'die', 'das', 'le', 'la', 'les', 'el', 'los']);

/** A stable colour per title. */
export function hueOf(title: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const sign of title) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  return (hash >>> 8) % HUES;
}
