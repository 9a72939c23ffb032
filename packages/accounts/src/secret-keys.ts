/**
 * Keys that are or contain hashes of secrets. Anything that shows keys and changes must omit them: password hashes can
 * be attacked offline.
 */
const prefixes = [
  'ua:',
  'sess:',
  'tok:',
  'dev:',
  'idx:sess:hash:',
  'idx:tok:hash:',
  'idx:dev:hash:',
  'meta:auth:setup',
] as const;

export function isSecretKey(key: string): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix));
}
