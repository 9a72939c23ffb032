import { createHash } from 'node:crypto';

import type { Accounts, Principal } from '@holdfast/accounts';
import { SECOND } from '@holdfast/base';

/**
 * Who is behind a secret, remembered for as long as nothing has changed.
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
  readonly #revision: () => Promise<number>;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(accounts: Accounts, revision: () => Promise<number>, now: () => number = Date.now) {
    this.#accounts = accounts;
    this.#revision = revision;
    this.#now = now;
  }

  async authenticate(secret: string): Promise<Principal> {
    // Not the secret itself: what lies in memory for longer than a request should be of no use to anybody.
    const key = createHash('sha256').update(secret).digest('base64');
    const revision = await this.#revision();
    const known = this.#known.get(key);
    if (known !== undefined && known.revision === revision && this.#now() < known.until) return known.principal;
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
