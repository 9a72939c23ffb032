import { isAlive, type ProcessIdentity } from './process-identity.ts';

/** `skipped`: the lease need not be renewed now. `lost`: another process holds it. */
export type Renewal = 'renewed' | 'skipped' | 'lost';

export interface LeaseOptions {
  readonly durationMs: number;
  /** Defaults to a third of the duration. */
  readonly renewEveryMs?: number;
  /** Extends the stored lease if this process still holds it. After a failure, the next heartbeat retries. */
  readonly renew: () => Promise<Renewal>;
  readonly onLost?: () => void;
}

/**
 * A lease that this process holds and renews with a heartbeat until `stop`. The remaining time is measured on a
 * monotonic clock, starting just before each renewal request. So this process stops using the lease before another
 * process may take it.
 */
export class HeldLease {
  readonly #options: LeaseOptions;
  readonly #timer: NodeJS.Timeout;
  #validUntil: number;
  #isRenewing = false;
  #isStopped = false;

  /** `acquiredAt` is `performance.now()` from before the lease was requested. */
  constructor(options: LeaseOptions, acquiredAt: number) {
    this.#options = options;
    this.#validUntil = acquiredAt + options.durationMs;
    this.#timer = setInterval(() => void this.#renew(), options.renewEveryMs ?? options.durationMs / 3).unref();
  }

  get isValid(): boolean {
    return !this.#isStopped && performance.now() < this.#validUntil;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const asked = performance.now();
    try {
      const renewal = await this.#options.renew();
      if (this.#isStopped) return;
      if (renewal === 'renewed') this.#validUntil = asked + this.#options.durationMs;
      if (renewal !== 'lost') return;
      this.stop();
      this.#options.onLost?.();
    } catch {
      // Ignores the failure: the lease expires unless a later heartbeat succeeds.
    } finally {
      this.#isRenewing = false;
    }
  }
}

/** Returns whether a stored lease may be taken: it has expired, or the process that held it is gone. */
export function isLeaseFree(until: number, holder: ProcessIdentity, now: number): boolean {
  return until <= now || !isAlive(holder);
}
