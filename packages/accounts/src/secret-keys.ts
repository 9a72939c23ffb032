/**
 * Keys with a secret, or a hash of a secret, in the key itself or in its value. Code that shows keys and changes must
 * omit these secrets and hashes, because password hashes can be attacked offline.
 */

/** Prefixes of keys that contain a hash in the key itself. */
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
