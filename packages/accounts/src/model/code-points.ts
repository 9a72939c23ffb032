/** The characters of a text as Unicode counts them; not UTF-16 units, and not what a reader sees as one letter. */
export function codePoints(text: string): string[] {
  return Array.from(text);
}
