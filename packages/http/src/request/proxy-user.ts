import { createHash, timingSafeEqual } from 'node:crypto';

import { httpErrors } from '../errors.ts';
import type { TrustedProxies } from './client-address.ts';

/**
 * Settings for sign-in by a reverse proxy: the header in which the proxy names the user, and the secret that identifies
 * the proxy.
 */
export interface ProxySignIn {
  readonly header: string;
  readonly secret: string;
}

const PROXY_SECRET_HEADER = 'x-holdfast-proxy-secret';

/**
 * Reads the user that a reverse proxy has signed in. The address alone does not identify the proxy: every program on
 * the proxy's machine could send the header. So the proxy also sends a secret.
 */
export class ProxyUsers {
  readonly #header: string | undefined;
  readonly #secretHash: Buffer;
  readonly #proxies: TrustedProxies;

  constructor(signIn: ProxySignIn | undefined, proxies: TrustedProxies) {
    this.#header = signIn?.header;
    this.#secretHash = hashOf(signIn?.secret ?? '');
    this.#proxies = proxies;
  }

  /** Returns undefined if the proxy names nobody. Refuses the header from anyone but the proxy. */
  userOf(peer: string, headers: Pick<Headers, 'get'>): string | undefined {
    if (this.#header === undefined) return undefined;
    const user = headers.get(this.#header);
    if (user === null || user === '') return undefined;
    const secret = headers.get(PROXY_SECRET_HEADER) ?? '';
    if (!this.#proxies.has(peer) || !timingSafeEqual(hashOf(secret), this.#secretHash)) {
      throw httpErrors.PROXY_HEADER_REFUSED(`Only the reverse proxy may send the header ${this.#header}`);
    }
    return user;
  }
}

/** Hashes have the same length, as `timingSafeEqual` requires. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
