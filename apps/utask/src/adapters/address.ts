import { createHash } from 'node:crypto';

/** Name and password, or a token, before each server of an address: with `nats://` or without. */
const CREDENTIALS = /(^|,|\/\/)([^/,]*)@/g;

/** For messages, which must not contain the password. */
export function withoutPassword(url: string): string {
  return url.replaceAll(CREDENTIALS, '$1');
}

/**
 * For files: distinguishes users with different lists on one server without storing their names. What stands
 * before the colon may be a token, so it is hashed. A text without credentials stays as it is.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(CREDENTIALS, (_all, before: string, credentials: string) => {
    const [user = ''] = credentials.split(':');
    return `${before}${createHash('sha256').update(user).digest('hex').slice(0, 8)}~`;
  });
}
