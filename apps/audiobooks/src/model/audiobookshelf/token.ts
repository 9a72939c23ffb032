import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR, SECOND, DAY } from '@holdfast/base';
import { z } from 'zod';

/**
 * Tokens of Audiobookshelf clients. They are JSON Web Tokens (HS256), because some clients read the expiry from the
 * token. A token depends only on its content and the key, so a repeated refresh returns the identical pair.
 */

/** `access` and `refresh` form a token pair and expire. `token` is for clients that never refresh. */
export type ClientTokenType = 'access' | 'refresh' | 'token';

const lifetimesMs: Readonly<Record<ClientTokenType, number | undefined>> = {
  access: HOUR,
  refresh: 30 * DAY,
  token: undefined,
};

export interface ClientTokenContent {
  readonly type: ClientTokenType;
  readonly userId: string;
  readonly username: string;
  /** Id of the sign-in. */
  readonly signIn: string;
  readonly generation: number;
  readonly issuedAtMs: number;
}

const payloadShape = z.object({
  userId: z.string(),
  username: z.string(),
  jti: z.string().regex(/^[0-9A-Z]{26}\.\d{1,9}$/u),
  type: z.enum(['access', 'refresh', 'token']),
  iat: z.number(),
  exp: z.number().optional(),
});

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

export function signClientToken(key: Uint8Array, content: ClientTokenContent): string {
  const { type, userId, username, signIn, generation, issuedAtMs } = content;
  const lifetimeMs = lifetimesMs[type];
  const iat = Math.floor(issuedAtMs / SECOND);
  const exp = lifetimeMs === undefined ? {} : { exp: iat + lifetimeMs / SECOND };
  const body = `${HEADER}.${encode({ userId, username, jti: `${signIn}.${generation}`, type, iat, ...exp })}`;
  return `${body}.${signature(key, body).toString('base64url')}`;
}

/** Returns undefined for a token that is invalid or has expired. */
export function readClientToken(key: Uint8Array, token: string, nowMs: number): ClientTokenContent | undefined {
  const end = token.lastIndexOf('.');
  const [body, given] = [token.slice(0, Math.max(end, 0)), Buffer.from(token.slice(end + 1), 'base64url')];
  const expected = signature(key, body);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { jti, iat, exp, ...content } = payloadShape.parse(
    JSON.parse(Buffer.from(body.slice(body.indexOf('.') + 1), 'base64url').toString()),
  );
  if (exp !== undefined && exp * SECOND <= nowMs) return undefined;
  const [signIn = '', generation = ''] = jti.split('.');
  return { ...content, signIn, generation: Number(generation), issuedAtMs: iat * SECOND };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(key: Uint8Array, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest();
}
