import { delay, isHoldfastError, SECOND } from '@holdfast/base';
import { skippedLines } from '../model/brief.ts';
import type { Event } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { currentRevision, readLog, watchSession } from '../service/log.ts';
import type { Np, Where } from '../service/np.ts';
import { showPlan } from '../service/plan.ts';

/**
 * Follows a plan even if the database fails or is replaced.
 *
 * Watches the keys of one session and reads the session again after a change: at most once per frame, with a pause at
 * least twice as long as the last read took. Retries a database that cannot be read, and reopens one whose file was
 * replaced. While nothing changes, it only checks once a second whether the file is the same.
 */
export interface FeedOptions {
  readonly open: (onUnreadable: (key: string) => void) => Promise<Np>;
  /** Identity of the database file. */
  readonly identity: () => string | undefined;
  readonly onPlan: (plan: Plan | undefined, events: readonly Event[]) => void;
  readonly onNotice: (notice: string | undefined) => void;
}

const FRAME_MS = 16;
const EVENTS_KEPT = 500;
const RETRY_MS = 300;

export class PlanFeed {
  readonly #options: FeedOptions;
  readonly #stopped = new AbortController();
  #where: Where;
  #np: Np | undefined;
  #attention = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #loadedAt = 0;
  #loadMs = 0;
  #failure: unknown;
  /** Keys of damaged values that the last read left out. */
  readonly #skipped = new Set<string>();

  constructor(options: FeedOptions, where: Where) {
    this.#options = options;
    this.#where = where;
  }

  /** The open database, for the session picker; undefined while it is not open. */
  get np(): Np | undefined {
    return this.#np;
  }

  follow(where: Where): void {
    this.#where = where;
    this.#attention.abort();
  }

  stop(): void {
    this.#stopped.abort();
    this.#attention.abort();
  }

  async run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#withDatabase();
      } catch (error) {
        this.#options.onNotice(`${error instanceof Error ? error.message : String(error)} (retrying)`);
        await delay(RETRY_MS, this.#stopped.signal);
      }
    }
  }

  async #withDatabase(): Promise<void> {
    const before = this.#options.identity();
    const np = await this.#options.open((key) => void this.#skipped.add(key));
    // A database that was just created has an identity only now.
    const identity = before ?? this.#options.identity();
    const isSame = (): boolean => this.#options.identity() === identity;
    const check = setInterval(() => isSame() || this.#attention.abort(), SECOND);
    this.#np = np;
    try {
      while (!this.#stopped.signal.aborted && isSame()) await this.#followOne(np);
    } finally {
      this.#np = undefined;
      clearInterval(check);
      clearTimeout(this.#timer);
      this.#timer = undefined;
      await np.close();
    }
  }

  /** Returns when the session must be looked up again or the database file was replaced; throws if reading fails. */
  async #followOne(np: Np): Promise<void> {
    this.#attention = new AbortController();
    const { signal } = this.#attention;
    // Reads the revision first, so that a commit during the read is seen twice instead of missed.
    const since = await currentRevision(np);
    const sid = await this.#load(np);
    for await (const _ of watchSession(np, sid, { since, signal })) {
      // Without a session, any commit may start one, so look for it again.
      if (sid === undefined) return;
      this.#schedule(np);
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #schedule(np: Np): void {
    if (this.#timer !== undefined) return;
    const gap = Math.max(FRAME_MS, this.#loadMs * 2);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#load(np).catch((error: unknown) => {
          this.#failure = error;
          this.#attention.abort();
        });
      },
      Math.max(0, this.#loadedAt + gap - performance.now()),
    );
  }

  async #load(np: Np): Promise<string | undefined> {
    const started = performance.now();
    const where = this.#where;
    this.#skipped.clear();
    try {
      const plan = await showPlan(np, where);
      const { sid } = plan.session;
      const { events } = await readLog(np, { sid }, { limit: EVENTS_KEPT });
      // The user has selected another session during the read.
      if (this.#where !== where) return sid;
      // From now on, selects the session by its id. The directory would no longer select it after it is archived.
      this.#where = { sid };
      this.#options.onPlan(plan, events);
      const [notice] = skippedLines(this.#skipped);
      this.#options.onNotice(notice);
      return sid;
    } catch (error) {
      const isGone = isHoldfastError(error, 'SESSION_NOT_FOUND');
      if (!isGone && !isHoldfastError(error, 'NO_SESSION')) throw error;
      this.#options.onPlan(undefined, []);
      this.#options.onNotice(isGone ? error.message : undefined);
      return undefined;
    } finally {
      this.#loadedAt = performance.now();
      this.#loadMs = this.#loadedAt - started;
    }
  }
}
