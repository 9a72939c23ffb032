import { delay } from '@holdfast/base';
import { storeErrors } from '@holdfast/sqlite';

import type { Address } from './address.ts';
import { codeOf, isConnectionLost, isWorthRepeating, toStoreError } from './errors.ts';
import { Session } from './session.ts';

export interface Patience {
  /** How long a read or commit is retried while no server answers. */
  readonly totalMs: number;
  /** After this time without an answer, the connection is dropped. */
  readonly answerMs: number;
  readonly connectMs: number;
  /**
   * After this time without an answer, a server may have been replaced. Its next answer counts only after all servers
   * have been asked again. A failover must take longer than `silenceMs` and `connectMs` together.
   */
  readonly silenceMs: number;
}

export const defaultPatience: Patience = { totalMs: 30_000, answerMs: 10_000, connectMs: 5_000, silenceMs: 5_000 };

/** A server that answers faster than this was not frozen during the search. */
const PROMPT_MS = 10;

const PAUSE_MS = 20;
const PAUSE_MAX_MS = 320;

/** Returns the timeline, or -1 for a standby. The timeline never reaches 2 ^ 31. */
const TIMELINE = `SELECT CASE WHEN pg_is_in_recovery() THEN -1
  ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END`;

/**
 * Every statement of ours can use an index. A plan that was made for a small table is kept while the table grows, so
 * the other plans are not allowed. A compatible database without these settings refuses them, which does no harm.
 */
const PLANNING = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off';

/** A process's observations of the servers at one address. */
interface Seen {
  highest: number;
  /** Number of consecutive searches that found no server. */
  misses: number;
  /** False after a pooler has rejected a named statement as unknown. */
  names: boolean;
}

/**
 * Finds the server that accepts writes. A server that was replaced in a failover may come back and still believe that
 * it is the primary. Its timeline is lower than that of its successor. So the highest timeline seen so far serves as a
 * fencing token: a server with a lower timeline is not used.
 */
export class Servers {
  readonly address: Address;
  readonly patience: Patience;
  readonly #seen: Seen;
  #isClosed = false;

  /** Instances for the same servers share what they have seen; each can be closed by itself. */
  constructor(address: Address, patience: Patience, others?: Servers) {
    this.address = address;
    this.patience = patience;
    this.#seen = others === undefined ? { highest: 0, misses: 0, names: true } : others.#seen;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  closedError(): Error {
    return storeErrors.STORE_CLOSED(`${this.address.shown} is closed`);
  }

  isCurrent(session: Session): boolean {
    return session.isOpen && session.timeline >= this.#seen.highest && session.names === this.#seen.names;
  }

  wasSilent(session: Session): boolean {
    return this.address.hosts.length > 1 && performance.now() - session.answeredAt > this.patience.silenceMs;
  }

  /**
   * Checks an answer to a read that was sent at `sent`. A primary that was frozen or cut off, and has been replaced in
   * the meantime, still answers reads from its old state. But its answer comes after a silence at least as long as the
   * failover, so this method refuses an answer after a long silence.
   */
  refuseStale(session: Session, sent: number): void {
    if (this.wasSilent(session)) {
      session.drop();
      throw Object.assign(new Error('the server was silent and may have been replaced'), { code: '08006' });
    }
    session.answeredAt = Math.max(session.answeredAt, sent);
  }

  async open(purpose: string): Promise<Session> {
    const { hosts } = this.address;
    const started = performance.now();
    const tried = await Promise.allSettled(hosts.map((_, index) => this.#tryHost(index, purpose)));
    const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    found.sort((left, right) => right.timeline - left.timeline);
    const best = found.find(({ timeline }) => timeline >= this.#seen.highest);
    for (const session of found) if (session !== best || this.#isClosed) session.drop();
    if (this.#isClosed) throw this.closedError();
    if (best === undefined) {
      this.#seen.misses += 1;
      const reasons = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      // A broken server is no reason to give up while another one may become the primary.
      throw reasons.find((reason) => isConnectionLost(reason) || isWorthRepeating(reason)) ?? reasons[0] ?? replaced();
    }
    if (best.answeredAt - started > PROMPT_MS && (await this.#isReplaced(best, purpose))) {
      best.drop();
      throw replaced();
    }
    this.#seen.misses = 0;
    this.#seen.highest = Math.max(this.#seen.highest, best.timeline);
    best.names = this.#seen.names;
    best.answeredAt = performance.now();
    return best;
  }

  /**
   * Asks the other servers again. A server that was frozen during the search may have answered after a failover, and the
   * other servers before it.
   */
  async #isReplaced(best: Session, purpose: string): Promise<boolean> {
    const others = this.address.hosts.flatMap((_, index) => (index === best.host ? [] : [index]));
    const tried = await Promise.allSettled(others.map((index) => this.#tryHost(index, purpose)));
    const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const session of found) session.drop();
    return found.some(({ timeline }) => timeline > best.timeline);
  }

  async #tryHost(index: number, purpose: string): Promise<Session> {
    const { connectMs } = this.patience;
    const session = await Session.open(this.address, index, purpose, connectMs);
    try {
      session.timeline = await timelineOf(session, connectMs);
      session.answeredAt = performance.now();
      session.host = index;
      if (session.timeline < 0) throw Object.assign(new Error('the server is a standby'), { code: '25006' });
      return session;
    } catch (error) {
      session.drop();
      throw error;
    }
  }

  /**
   * Repeats `action` while the servers are unreachable or being replaced. Only for actions that may be repeated.
   */
  async patiently<T>(action: () => Promise<T>): Promise<T> {
    const end = Date.now() + this.patience.totalMs;
    for (;;) {
      try {
        if (this.#isClosed) throw this.closedError();
        return await action();
      } catch (error) {
        if (this.#isClosed) throw this.closedError();
        this.noteError(error);
        if (!(isConnectionLost(error) || isWorthRepeating(error)) || Date.now() > end) {
          throw toStoreError(error, this.address.shown);
        }
        await this.pause();
      }
    }
  }

  /**
   * Waits before the next attempt, longer after each search that found no server. Without the growing delay, many
   * clients would use up a standby's connections while they wait for its promotion.
   */
  pause(): Promise<void> {
    const growing = PAUSE_MS * 2 ** Math.min(this.#seen.misses, 10);
    return delay(Math.min(growing, PAUSE_MAX_MS) * (0.5 + Math.random()));
  }

  /**
   * Stops the use of named statements after an error about their names: behind a pooler such as PgBouncer, a statement
   * may run on a server connection that does not know the name.
   */
  noteError(error: unknown): void {
    if (/^(26000|42P05|08P01)$/.test(codeOf(error))) this.#seen.names = false;
  }
}

function replaced(): Error {
  return Object.assign(new Error('every server that answers was replaced by another one'), { code: '08001' });
}

/** Returns the server's timeline. A compatible database without timelines is used without this protection. */
async function timelineOf(session: Session, limitMs: number): Promise<number> {
  session.names = false;
  session.run(PLANNING, limitMs).catch(() => undefined);
  try {
    const [row] = await session.rows<[number]>(TIMELINE, [], limitMs);
    return row?.[0] ?? 0;
  } catch (error) {
    if (/^(42883|0A000|42501)$/.test(codeOf(error))) return 0;
    throw error;
  } finally {
    session.names = true;
  }
}

/** Holds one connection: opens it when it is needed, and replaces it when it is lost. */
export class Slot {
  readonly #servers: Servers;
  readonly #purpose: string;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  /** Number of statements without an answer. */
  pending = 0;

  constructor(servers: Servers, purpose: string) {
    this.#servers = servers;
    this.#purpose = purpose;
  }

  async session(): Promise<Session> {
    const session = this.#session;
    if (session !== undefined && this.#servers.isCurrent(session)) return session;
    session?.drop();
    this.#opening ??= this.#servers.open(this.#purpose).finally(() => {
      this.#opening = undefined;
    });
    this.#session = await this.#opening;
    return this.#session;
  }

  /** Runs one statement, on another connection if this one is lost. */
  rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#servers.patiently(() => this.rowsOnce<Row>(text, values));
  }

  async rowsOnce<Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.pending += 1;
    try {
      let session = await this.session();
      if (this.#servers.wasSilent(session)) {
        session.drop();
        session = await this.session();
      }
      const sent = performance.now();
      const rows = await session.rows<Row>(text, values, this.#servers.patience.answerMs);
      this.#servers.refuseStale(session, sent);
      return rows;
    } finally {
      this.pending -= 1;
    }
  }

  drop(): void {
    this.#session?.drop();
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#session?.close();
  }
}
