/** Splits text into Unicode code points, which are neither UTF-16 units nor graphemes. */
export function codePoints(text: string): string[] {
  return Array.from(text);
}
