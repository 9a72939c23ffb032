import { isAlive, type ProcessIdentity } from './process-identity.ts';

/** `skipped`: there is no reason to keep the lease now. `lost`: somebody else has it. */
export type Renewal = 'renewed' | 'skipped' | 'lost';

export interface LeaseOptions {
  readonly durationMs: number;
  /** A third of the duration, unless the heartbeat has other work to do. */
  readonly renewEveryMs?: number;
  /** Extends the stored lease, if it is still ours. A failure is tried again at the next heartbeat. */
  readonly renew: () => Promise<Renewal>;
  readonly onLost?: () => void;
}

/**
 * A lease that this process holds, renewed by a heartbeat until `stop`. Whether it is valid is counted by a clock that never
 * jumps, from before each renewal was asked for: the owner gives up before anybody else may take over.
 */
export class HeldLease {
  readonly #options: LeaseOptions;
  readonly #timer: NodeJS.Timeout;
  #validUntil: number;
  #isRenewing = false;
  #isStopped = false;

  /** `acquiredAt` is `performance.now()` from before the lease was asked for. */
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
      // Unless a later heartbeat succeeds, the lease runs out.
    } finally {
      this.#isRenewing = false;
    }
  }
}

/** Whether a stored lease may be taken: it has expired, or the process that holds it does not exist any more. */
export function isLeaseFree(until: number, holder: ProcessIdentity, now: number): boolean {
  return until <= now || !isAlive(holder);
}
