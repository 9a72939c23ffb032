/** JSON as Go's encoder writes it, which is what Beads uses: so that a changed line differs only where it changed. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
