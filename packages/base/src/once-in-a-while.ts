import { MINUTE } from './units.ts';

const EVERY_MS: number = MINUTE;
const KEPT_MAX = 1_000;

/** For logs: what goes on, or comes again and again, is told once a minute. */
export class OnceInAWhile {
  readonly #toldUntil = new Map<string, number>();

  /** Whether it has not been told within the last minute; from now on it has. */
  isNews(what: string): boolean {
    const now = performance.now();
    if (now < (this.#toldUntil.get(what) ?? 0)) return false;
    // The oldest goes first, so that texts which are never the same fill no memory.
    const [oldest] = this.#toldUntil.keys();
    if (this.#toldUntil.size >= KEPT_MAX && oldest !== undefined) this.#toldUntil.delete(oldest);
    this.#toldUntil.set(what, now + EVERY_MS);
    return true;
  }
}
