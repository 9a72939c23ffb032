/**
 * The keys whose values (or which themselves) hold hashes of secrets. Whatever shows keys and changes to people must
 * leave these out: hashes of passwords can be guessed from.
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
