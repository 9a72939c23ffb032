import { hash } from 'node:crypto';

import type { Accounts, Principal } from '@holdfast/accounts';
import { type Clock, SECOND, systemClock } from '@holdfast/base';

/**
 * Caches the account that belongs to a secret until any account changes.
 *
 * Every commit to the accounts, by any process, increases the revision. While the revision stays the same, only time
 * can change the answer, and expiry is checked each time. So most requests read only the revision, and a revoked token
 * or disabled user is refused at the next request. After half a minute the full check runs again, which also records
 * "last seen".
 */

const KEPT_MS = 30 * SECOND;
const ENTRIES_MAX = 10_000;

interface Known {
  readonly principal: Principal;
  readonly revision: number;
  readonly until: number;
}

export class AuthenticationCache {
  readonly #accounts: Accounts;
  readonly #revision: () => number | Promise<number>;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(accounts: Accounts, revision: () => number | Promise<number>, now: Clock = systemClock) {
    this.#accounts = accounts;
    this.#revision = revision;
    this.#now = now;
  }

  /** Returns a cached account without a promise, so the request can be answered synchronously. */
  authenticate(secret: string): Principal | Promise<Principal> {
    // Hashed, so that memory does not hold secrets for longer than a request.
    const key = hash('sha256', secret, 'base64');
    const revision = this.#revision();
    if (typeof revision !== 'number')
      return revision.then((current) => this.#recall(key, current) ?? this.#ask(secret, key, current));
    return this.#recall(key, revision) ?? this.#ask(secret, key, revision);
  }

  #recall(key: string, revision: number): Principal | undefined {
    const known = this.#known.get(key);
    return known !== undefined && known.revision === revision && this.#now() < known.until
      ? known.principal
      : undefined;
  }

  async #ask(secret: string, key: string, revision: number): Promise<Principal> {
    const principal = await this.#accounts.authenticate(secret);
    if (this.#known.size >= ENTRIES_MAX) this.#known.clear();
    // Stores the revision from before the check, so that the next request notices a concurrent change.
    this.#known.set(key, { principal, revision, until: Math.min(this.#now() + KEPT_MS, endOf(principal)) });
    return principal;
  }
}

function endOf({ via }: Principal): number {
  const ends = via.kind === 'session' ? [via.session.expires_at, via.session.idle_expires_at] : [via.token.expires_at];
  return Math.min(...ends.map((end) => (end === null ? Number.POSITIVE_INFINITY : Date.parse(end))));
}
