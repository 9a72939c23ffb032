import { hash } from 'node:crypto';

import type { Accounts, Principal } from '@holdfast/accounts';
import { type Clock, SECOND, systemClock } from '@holdfast/base';

/**
 * Remembers the account of a secret until any account has changed.
 *
 * Every commit of the accounts, by this process or another, has a new revision; while it stays the same, so does every
 * answer, but for the passing of time, which is looked at each time. So a revoked token or a disabled user is refused at
 * the next request, and the common case costs one look at the revision instead of five reads. After half a minute the
 * whole question is asked again, because that is also what notes when somebody was last seen.
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

  /** Without a promise when the answer is known: then the whole request can be answered without one. */
  authenticate(secret: string): Principal | Promise<Principal> {
    // Not the secret itself: what lies in memory for longer than a request should be of no use to anybody.
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
    // The revision from before the question: had something changed meanwhile, the next request asks again.
    this.#known.set(key, { principal, revision, until: Math.min(this.#now() + KEPT_MS, endOf(principal)) });
    return principal;
  }
}

function endOf({ via }: Principal): number {
  const ends = via.kind === 'session' ? [via.session.expires_at, via.session.idle_expires_at] : [via.token.expires_at];
  return Math.min(...ends.map((end) => (end === null ? Number.POSITIVE_INFINITY : Date.parse(end))));
}
