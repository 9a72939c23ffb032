import { z } from 'zod';

import { accountErrors } from '../errors.ts';
import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';
import { grantSchema, isGrant } from './permission.ts';
import { isWithinLifetime, moment } from './time.ts';

/** Stored under `tok:{id}`: a personal token for programs. */
export const tokenSchema = z.object({
  id: z.ulid(),
  user_id: z.ulid(),
  name: z.string().min(1),
  scopes: z.array(grantSchema).min(1),
  token_hash: z.hex().length(64),
  /** First characters, by which a person can recognise the token. */
  starts_with: z.string(),
  created_at: moment,
  expires_at: moment.nullable(),
  last_used_at: moment.nullable(),
  version: z.literal(1),
});

export type Token = Readonly<z.infer<typeof tokenSchema>>;

/**
 * Returns whether the token is valid now. A token without an expiry never expires. For other tokens, a wrong clock at
 * creation must not extend the lifetime.
 */
export function isTokenLive(token: Token, now: number): boolean {
  const { created_at, expires_at } = token;
  return expires_at === null || isWithinLifetime({ created_at, expires_at }, now);
}

export function parseTokenName(typed: string): string {
  const name = typed.isWellFormed() ? typed.normalize('NFC').trim() : '';
  const length = codePoints(name).length;
  if (length >= 1 && length <= limits.tokenNameCharacters && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return name;
  throw accountErrors.TOKEN_REQUEST_INVALID(
    `A token name must have 1 to ${limits.tokenNameCharacters} printable characters`,
  );
}

const SCOPES_MAX = 20;

export function parseScopes(scopes: readonly string[]): string[] {
  const wrong = scopes.findIndex((scope) => !isGrant(scope));
  // The message omits the value: a misplaced value may be a secret.
  if (wrong >= 0) throw accountErrors.TOKEN_REQUEST_INVALID(`Scope number ${wrong + 1} is not valid`);
  if (scopes.length === 0 || scopes.length > SCOPES_MAX) {
    throw accountErrors.TOKEN_REQUEST_INVALID(`A token must have 1 to ${SCOPES_MAX} scopes`);
  }
  return [...new Set(scopes)];
}
