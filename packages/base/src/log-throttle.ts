import { MINUTE } from './time.ts';

const EVERY_MS: number = MINUTE;
const KEPT_MAX = 1_000;

/** Lets each message through once a minute, so a lasting failure does not fill the log. */
export class LogThrottle {
  readonly #blockedUntil = new Map<string, number>();

  /** Returns false if the same message was let through within the last minute. */
  allows(message: string): boolean {
    const now = performance.now();
    if (now < (this.#blockedUntil.get(message) ?? 0)) return false;
    // Drops the oldest message, so that messages which never repeat use bounded memory.
    const [oldest] = this.#blockedUntil.keys();
    if (this.#blockedUntil.size >= KEPT_MAX && oldest !== undefined) this.#blockedUntil.delete(oldest);
    this.#blockedUntil.set(message, now + EVERY_MS);
    return true;
  }
}
