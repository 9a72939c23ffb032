import { randomUUID } from 'node:crypto';

import { failpoint, MEBIBYTE, type StoredValue } from '@holdfast/base';
import type { CommitOutcome, CommitRequest, Entry, RangeRequest } from '@holdfast/keyspace';

import { expectedNeeds, KnownState, type Missing, type Plan, planBatch, rangeName, type Result } from './batch.ts';
import { codeOf, isConnectionLost, isWorthRepeating, postgresErrors, SPACE_CLOSED, toStoreError } from './errors.ts';
import { RecentValues } from './recent-values.ts';
import { isStorable, keysStatement, rangeStatement, rangeValues, type StoredRow, toStored } from './reader.ts';
import { type Servers, Slot } from './servers.ts';
import type { Session } from './session.ts';

/**
 * Makes one process's commits to one space. All waiting commits form one batch, which needs only one disk flush. A
 * batch first reads the state that it needs, without a lock. Then it sends one call that applies everything if no other
 * process has committed in the meantime. After a lost race, batches take the lock first for a while, so that no process
 * starves. If the answer to a commit is lost, the process looks up the commit by its id before it sends anything again.
 */

const MEMBERS_MAX = 256;
const BYTES_MAX: number = 16 * MEBIBYTE;
const LOCK_FIRST_BATCHES = 100;

const TYPED = `($1::int, $2::bigint, $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::bytea[],
  $9::text[], $10::text[], $11::uuid[], $12::text[])`;
const COMMIT = `SELECT holdfast_commit${TYPED}`;
const APPLY = `SELECT holdfast_apply${TYPED}`;
const nothing: Missing = { keys: new Set(), ranges: new Map() };
const LOCK_SPACE = 'SELECT revision::float8, state, moved_to FROM holdfast_space WHERE id = $1 FOR UPDATE';

/** Returns the commits to make, while this process holds the lock. Called again if the connection breaks. */
export type PrepareLocked = (head: number) => Promise<readonly CommitRequest[]>;

interface Member {
  readonly request: CommitRequest | PrepareLocked;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of commits whose outcome is not known yet. */
interface Attempt {
  /** The id that the batch's first commit has in the journal. */
  readonly id: string;
  known: number;
  isSent: boolean;
  plan: Plan | undefined;
}

export class Committer {
  readonly #servers: Servers;
  readonly #slot: Slot;
  readonly #space: number;
  readonly #onCommit: () => void;
  readonly #queue: Member[] = [];
  #isDraining = false;
  #idle: Promise<void> = Promise.resolve();
  #lockFirst = 0;
  readonly #recent = new RecentValues();

  constructor(servers: Servers, space: number, onCommit: () => void) {
    this.#servers = servers;
    this.#slot = new Slot(servers, 'commits');
    this.#space = space;
    this.#onCommit = onCommit;
  }

  /**
   * If `request` is a function, takes the lock, calls the function, and makes either all commits that the function
   * returns or none. No other process can commit between them.
   */
  submit(request: CommitRequest | PrepareLocked): Promise<CommitOutcome> {
    if (this.#servers.isClosed) return Promise.reject(this.#servers.closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (this.#isDraining) return;
      this.#isDraining = true;
      // Starts at the end of the event-loop turn, so that other commits from this turn can join.
      this.#idle = new Promise((done) => setImmediate(() => void this.#drain().finally(done)));
    });
  }

  /** Resolves when everything submitted so far is settled. */
  async settled(): Promise<void> {
    while (this.#isDraining) await this.#idle;
  }

  close(): Promise<void> {
    return this.#slot.close();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#nextGroup();
      try {
        const { results, journal } = await this.#commitGroup(group);
        group.forEach(({ resolve, reject }, index) => {
          const result = results[index]!;
          if ('error' in result) reject(result.error);
          else resolve(result.outcome);
        });
        if (journal.length > 0) this.#onCommit();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isDraining = false;
  }

  #nextGroup(): Member[] {
    let bytes = 0;
    let count = 0;
    for (const { request } of this.#queue.slice(0, MEMBERS_MAX)) {
      if (typeof request === 'function') return this.#queue.splice(0, Math.max(count, 1));
      for (const value of request.writes.values()) bytes += value?.length ?? 0;
      if (count > 0 && bytes > BYTES_MAX) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #commitGroup(group: readonly Member[]): Promise<Plan> {
    const [first] = group;
    if (typeof first?.request === 'function') return this.#commit(first.request);
    return this.#commit(group.map(({ request }) => request as CommitRequest));
  }

  async #commit(requests: readonly CommitRequest[] | PrepareLocked): Promise<Plan> {
    const end = Date.now() + this.#servers.patience.totalMs;
    for (let assumesFresh = true; ;) {
      const attempt: Attempt = { id: randomUUID(), known: 0, isSent: false, plan: undefined };
      try {
        const isLockFirst = this.#lockFirst > 0 || !assumesFresh;
        if (isLockFirst) this.#lockFirst -= 1;
        const plan = await (typeof requests === 'function' || isLockFirst
          ? this.#commitLocked(requests, attempt, assumesFresh)
          : this.#commitOptimistic(requests, attempt));
        if (plan !== undefined) return plan;
        this.#recent.clear();
        this.#lockFirst = LOCK_FIRST_BATCHES;
      } catch (error) {
        this.#recent.clear();
        this.#servers.noteError(error);
        if (codeOf(error) === '23505' && assumesFresh) {
          assumesFresh = false;
          continue;
        }
        const isLost = isConnectionLost(error);
        if (!isLost && !isWorthRepeating(error)) throw toStoreError(error, this.#servers.address.shown);
        if (isLost) this.#slot.drop();
        if (isLost && attempt.isSent) {
          const fate = await this.#fateOf(attempt, end);
          if (fate !== undefined) return fate;
        }
        if (Date.now() > end) throw toStoreError(error, this.#servers.address.shown);
        await this.#servers.pause();
      }
    }
  }

  /** Returns undefined if another process committed in the meantime. */
  async #commitOptimistic(requests: readonly CommitRequest[], attempt: Attempt): Promise<Plan | undefined> {
    const session = await this.#slot.session();
    const sent = performance.now();
    const state = new KnownState();
    const guess = this.#recent.newestRevision(requests);
    if (guess !== undefined) this.#recent.fill(requests, guess, state);
    const needs = expectedNeeds(requests, state);
    // The call that commits checks the revision, so without other writers one round trip is enough.
    const isGuessed = guess !== undefined && needs.keys.size + needs.ranges.size === 0;
    const head = isGuessed ? guess : await this.#fetch(session, needs, state);
    if (head === undefined || head !== (guess ?? head)) return undefined;
    attempt.known = head;
    let plan = planBatch(requests, head, state, true);
    if ('keys' in plan) {
      if ((await this.#fetch(session, plan, state)) !== head) return undefined;
      plan = planBatch(requests, head, state, true);
      if ('keys' in plan) return undefined;
    }
    if (plan.journal.length === 0) {
      if (isGuessed && (await this.#fetch(session, nothing, state)) !== head) return undefined;
      this.#servers.refuseStale(session, sent);
      return plan;
    }
    attempt.plan = plan;
    session.forgetWarnings();
    attempt.isSent = true;
    const values = this.#values(attempt.id, head, plan);
    const [row] = await session.rows<[number]>(COMMIT, values, this.#servers.patience.answerMs);
    failpoint('postgres.commit.after');
    if (row?.[0] !== head) return undefined;
    this.#refuseWarning(session);
    this.#recent.advance(head, state, plan);
    return plan;
  }

  async #commitLocked(
    requests: readonly CommitRequest[] | PrepareLocked,
    attempt: Attempt,
    assumesFresh: boolean,
  ): Promise<Plan> {
    const session = await this.#slot.session();
    const sent = performance.now();
    const { answerMs } = this.#servers.patience;
    const state = new KnownState();
    this.#recent.clear();
    const expected = expectedNeeds(typeof requests === 'function' ? [] : requests, state);
    try {
      // All statements are sent together. At READ COMMITTED, the reads see everything that was committed before this
      // transaction obtained the lock.
      const begun = session.run('BEGIN', answerMs);
      const locked = session.rows<[number, string, string | null]>(LOCK_SPACE, [this.#space], answerMs);
      const fetched = this.#fetch(session, expected, state);
      await allSettled([begun, locked, fetched]);
      const [row] = await locked;
      if (row?.[1] !== 'open') throw Object.assign(new Error('moved'), { code: SPACE_CLOSED, detail: row?.[2] });
      attempt.known = row[0];
      // Commits that were prepared under the lock are applied one by one, because together they may be large.
      const parts = typeof requests === 'function' ? (await requests(row[0])).map((one) => [one]) : [requests];
      session.forgetWarnings();
      let applied: Promise<unknown> = Promise.resolve();
      let plan: Plan = { results: [], journal: [], notes: [], finals: new Map(), fresh: new Set() };
      for (const part of parts) {
        await applied;
        const known = attempt.known + plan.journal.length;
        const next = await this.#planLocked(session, part, known, state, assumesFresh);
        if (next.journal.length > 0) applied = session.rows(APPLY, this.#values(attempt.id, known, next), answerMs);
        plan = { ...next, journal: [...plan.journal, ...next.journal] };
      }
      attempt.plan = plan;
      if (plan.journal.length === 0) {
        await session.run('ROLLBACK', answerMs);
        this.#servers.refuseStale(session, sent);
        return plan;
      }
      attempt.isSent = true;
      const committed = session.run('COMMIT', answerMs);
      await allSettled([applied, committed]);
      if ((await committed) !== 'COMMIT') throw Object.assign(new Error('rolled back'), { code: 'HF_AGAIN' });
      this.#refuseWarning(session);
      return plan;
    } catch (error) {
      if (!isConnectionLost(error)) {
        attempt.isSent = false;
        await session.run('ROLLBACK', answerMs).catch(() => session.drop());
      }
      throw error;
    }
  }

  async #planLocked(
    session: Session,
    requests: readonly CommitRequest[],
    known: number,
    state: KnownState,
    assumesFresh: boolean,
  ): Promise<Plan> {
    for (;;) {
      const plan = planBatch(requests, known, state, assumesFresh);
      if (!('keys' in plan)) return plan;
      await this.#fetch(session, plan, state);
    }
  }

  /**
   * Refuses a commit with a warning: if an operator cancels the wait for a standby, the server commits only locally and
   * warns.
   */
  #refuseWarning(session: Session): void {
    if (!session.hasWarned) return;
    session.drop();
    throw Object.assign(new Error('the commit may not have reached a standby'), { code: '08007' });
  }

  /** Sends all reads together; returns the revision, or undefined if it changed between the statements. */
  async #fetch(session: Session, { keys, ranges }: Missing, state: KnownState): Promise<number | undefined> {
    const { answerMs } = this.#servers.patience;
    const wanted = [...keys];
    const storable = wanted.filter(isStorable);
    const values = session.rows<StoredRow>(keysStatement, [this.#space, storable], answerMs);
    const scans = [...ranges.values()].map(async (range: RangeRequest): Promise<number> => {
      const rows = await session.rows<StoredRow>(
        rangeStatement(range.reverse),
        rangeValues(this.#space, range),
        answerMs,
      );
      const entries = rows.flatMap((row): Entry[] => (row[1] === null ? [] : [[row[1], toStored(row)]]));
      state.ranges.set(rangeName(range), entries);
      return rows[0]![0];
    });
    await allSettled([values, ...scans]);
    const rows = await values;
    for (const key of wanted) state.values.set(key, undefined);
    for (const row of rows) if (row[1] !== null) state.values.set(row[1], toStored(row));
    const head = rows[0]![0];
    return (await Promise.all(scans)).every((other) => other === head) ? head : undefined;
  }

  #values(id: string, known: number, plan: Plan): unknown[] {
    const changed = new Columns();
    const fresh = new Columns();
    const deleted: string[] = [];
    for (const [key, value] of plan.finals) {
      if (value === undefined) deleted.push(key);
      else (plan.fresh.has(key) ? fresh : changed).add(key, value);
    }
    const ids = plan.journal.map((_, index) => (index === 0 ? id : randomUUID()));
    return [this.#space, known, ...changed.arrays, ...fresh.arrays, deleted, plan.journal, ids, plan.notes];
  }

  /**
   * Called if the answer to a commit was lost. Takes the lock, which also waits for a server process that is still
   * committing; then looks up the id. The lookup itself is a write: after it commits, a standby has everything that the
   * lookup saw. Returns undefined if the batch was not committed.
   */
  async #fateOf({ id, known, plan }: Attempt, end: number): Promise<Plan | undefined> {
    for (;;) {
      try {
        return (await this.find(`${known}:${id}`)) === undefined ? undefined : plan;
      } catch (error) {
        if (Date.now() <= end && !this.#servers.isClosed) {
          await this.#servers.pause();
          continue;
        }
        return {
          ...plan!,
          journal: [],
          results: plan!.results.map((result) => this.#inDoubt(result, known, id, error)),
        };
      }
    }
  }

  #inDoubt(result: Result, known: number, id: string, cause: unknown): Result {
    if ('error' in result || result.outcome.conflict) return result;
    const text = `${this.#servers.address.shown}: it is not known whether a commit was made`;
    // A batch is applied as a whole, so the id of its first commit is enough to find any of its commits.
    const offset = Math.max(0, result.outcome.revision - known - 1);
    return { error: postgresErrors.STORE_IN_DOUBT(text, { cause, details: { commit: `${known}:${id}:${offset}` } }) };
  }

  /** Returns the revision of a commit; undefined if it was not made and never will be. */
  async find(commit: string): Promise<number | undefined> {
    const [known, id, offset] = commit.split(':');
    const session = await this.#slot.session();
    const { answerMs } = this.#servers.patience;
    try {
      const lock = 'UPDATE holdfast_space SET revision = revision WHERE id = $1';
      const look =
        'SELECT revision::float8 FROM holdfast_journal WHERE space = $1 AND revision > $2 AND commit_id = $3';
      session.forgetWarnings();
      const begun = session.run('BEGIN', answerMs);
      const locked = session.rows(lock, [this.#space], answerMs);
      const looked = session.rows<[number]>(look, [this.#space, Number(known), id], answerMs);
      const committed = session.run('COMMIT', answerMs);
      await allSettled([begun, locked, looked, committed]);
      if ((await committed) !== 'COMMIT') throw Object.assign(new Error('rolled back'), { code: 'HF_AGAIN' });
      this.#refuseWarning(session);
      const [first] = await looked;
      return first === undefined ? undefined : first[0] + Number(offset ?? 0);
    } catch (error) {
      this.#servers.noteError(error);
      session.drop();
      throw error;
    }
  }
}

/** Waits for all statements that were sent together. Throws the first error, which is the cause of the others. */
async function allSettled(flight: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(flight);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

/** Keys and values as one array per column. */
class Columns {
  readonly arrays: [keys: string[], texts: (string | null)[], contents: (Uint8Array | null)[]] = [[], [], []];

  add(key: string, value: StoredValue): void {
    this.arrays[0].push(key);
    this.arrays[1].push(typeof value === 'string' ? value : null);
    this.arrays[2].push(typeof value === 'string' ? null : value);
  }
}
