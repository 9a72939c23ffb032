/** A setting as it would be typed, for people. */
export function settingText(value: string | boolean | readonly string[]): string {
  if (typeof value !== 'object') return value === '' ? '-' : String(value);
  if (value.length === 0) return '-';
  return value.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
