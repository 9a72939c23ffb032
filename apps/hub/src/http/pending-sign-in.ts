import { createHmac, timingSafeEqual } from 'node:crypto';

import { type Clock, MINUTE, SECOND } from '@holdfast/base';
import { type CookieJar, cookieJar } from '@holdfast/http';
import { z } from 'zod';

const LIFETIME_MS = 10 * MINUTE;

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirect_uri: z.string(),
  next: z.string(),
  /** Id of the signed-in user who links their account; null for a sign-in. */
  links: z.string().nullable(),
  expires_at: z.number(),
});

export type PendingSignIn = Omit<z.infer<typeof schema>, 'expires_at'>;

/**
 * A sign-in at the OpenID Connect provider that this browser has started. It is stored in a cookie, so the server needs
 * no memory for it. The cookie is signed with a key from the accounts database. So servers reject a forged cookie, and
 * every server with the same accounts can finish the sign-in.
 */
export class PendingSignIns {
  readonly #askKey: () => Promise<Uint8Array>;
  readonly #now: Clock;
  #key: Promise<Uint8Array> | undefined;

  constructor(askKey: () => Promise<Uint8Array>, now: Clock) {
    this.#askKey = askKey;
    this.#now = now;
  }

  /** Returns the `Set-Cookie` value. */
  async remember(pending: PendingSignIn, isSecure: boolean): Promise<string> {
    const text = JSON.stringify({ ...pending, expires_at: this.#now() + LIFETIME_MS });
    const body = Buffer.from(text, 'utf8').toString('base64url');
    return jar(isSecure).set(`${body}.${(await this.#seal(body)).toString('base64url')}`, LIFETIME_MS / SECOND);
  }

  async read(request: Request, isSecure: boolean): Promise<PendingSignIn | undefined> {
    const [body = '', seal = ''] = jar(isSecure).read(request)?.split('.') ?? [];
    const [given, expected] = [Buffer.from(seal, 'base64url'), await this.#seal(body)];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const { expires_at: expiresAt, ...pending } = schema.parse(
      JSON.parse(Buffer.from(body, 'base64url').toString('utf8')),
    );
    return this.#now() < expiresAt ? pending : undefined;
  }

  /** Returns the `Set-Cookie` value that removes the cookie: each sign-in is used once. */
  forget(isSecure: boolean): string {
    return jar(isSecure).clear();
  }

  async #seal(body: string): Promise<Buffer> {
    this.#key ??= this.#askKey().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.#key)
      .update(body, 'utf8')
      .digest();
  }
}

function jar(isSecure: boolean): CookieJar {
  return cookieJar({ name: 'holdfast_oidc', isSecure });
}
