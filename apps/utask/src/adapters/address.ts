import { createHash } from 'node:crypto';

/** Name and password, or a token, before each server of an address: with `nats://` or without. */
const CREDENTIALS = /(^|,|\/\/)([^/,]*)@/g;

/** For messages: whoever reads them need not know the password. */
export function withoutPassword(url: string): string {
  return url.replaceAll(CREDENTIALS, '$1');
}

/**
 * For files: tells users apart, who may have different lists on one server, without saying who they are. What stands
 * before the colon may be a token and is therefore a secret too. A text without credentials is its own name.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(CREDENTIALS, (_all, before: string, credentials: string) => {
    const [user = ''] = credentials.split(':');
    return `${before}${createHash('sha256').update(user).digest('hex').slice(0, 8)}~`;
  });
}
