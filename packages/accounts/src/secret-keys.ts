/**
 * Keys that are or contain secrets or their hashes. Anything that shows keys and changes must omit them: password hashes can
 * be attacked offline.
 */

/** The key itself contains a hash. */
const hashedKeys = ['idx:sess:hash:', 'idx:tok:hash:', 'idx:dev:hash:'] as const;
const hashedValues = [
  'ua:',
  'sess:',
  'tok:',
  'dev:',
  'meta:auth:setup',
  'meta:auth:sealing_key',
  ...hashedKeys,
] as const;

export function isSecretKey(key: string): boolean {
  return hashedValues.some((prefix) => key.startsWith(prefix));
}

/** Returns the part of a key that may be shown: the whole key, or only its prefix if it contains a hash. */
export function visiblePart(key: string): string {
  return hashedKeys.find((prefix) => key.startsWith(prefix)) ?? key;
}
