/** Returns whether a text has no visible character, only white space and zero-width characters. */
export function isBlank(text: string): boolean {
  // Almost all text has a visible ASCII character, so the second pattern, which compiles slowly, is rarely needed.
  return !/[!-~]/u.test(text) && /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}
