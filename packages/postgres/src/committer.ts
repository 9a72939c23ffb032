import { randomUUID } from 'node:crypto';

import { delay, failpoint, MEBIBYTE, type StoredValue } from '@holdfast/base';
import type { CommitOutcome, CommitRequest, Entry, RangeRequest } from '@holdfast/keyspace';

import { expectedNeeds, KnownState, type Missing, type Plan, planBatch, rangeName } from './batch.ts';
import { codeOf, isConnectionLost, isWorthRepeating, postgresErrors, SPACE_CLOSED, toStoreError } from './errors.ts';
import { isStorable, keysStatement, rangeStatement, rangeValues, type StoredRow, toStored } from './reader.ts';
import { type Servers, Slot } from './servers.ts';
import type { Session } from './session.ts';

/**
 * Commits of one process to one space. All waiting commits form one batch, which costs one flush of the disk. A batch
 * first reads the state that it needs, without a lock. Then it sends one call that applies everything if no other
 * process has committed meanwhile. After a lost race, batches take the lock first for a while, so that no process
 * starves. If the answer to a commit is lost, the process looks up the commit by its id before it sends anything again.
 */

const MEMBERS_MAX = 256;
const BYTES_MAX: number = 16 * MEBIBYTE;
const LOCK_FIRST_BATCHES = 100;
const PAUSE_MS = 20;

const TYPED = `($1::int, $2::bigint, $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::bytea[],
  $9::text[], $10::text[], $11::uuid[], $12::text[])`;
const COMMIT = `SELECT holdfast_commit${TYPED}`;
const APPLY = `SELECT holdfast_apply${TYPED}`;
const LOCK_SPACE = 'SELECT revision::float8, state, moved_to FROM holdfast_space WHERE id = $1 FOR UPDATE';

interface Member {
  readonly request: CommitRequest;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of commits whose outcome is not known yet. */
interface Attempt {
  readonly ids: readonly string[];
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
  /** The values after the last batch; valid until another process commits. */
  #recent: { readonly revision: number; readonly values: ReadonlyMap<string, StoredValue | undefined> } | undefined;

  constructor(servers: Servers, space: number, onCommit: () => void) {
    this.#servers = servers;
    this.#slot = new Slot(servers, 'commits');
    this.#space = space;
    this.#onCommit = onCommit;
  }

  submit(request: CommitRequest): Promise<CommitOutcome> {
    if (this.#servers.isClosed) return Promise.reject(this.#servers.closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (this.#isDraining) return;
      this.#isDraining = true;
      // Starts at the end of the event-loop turn, so that other commits of this turn can join.
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
        const { results, journal } = await this.#commit(group.map(({ request }) => request));
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
      for (const value of request.writes.values()) bytes += value?.length ?? 0;
      if (count > 0 && bytes > BYTES_MAX) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(requests: readonly CommitRequest[]): Promise<Plan> {
    const end = Date.now() + this.#servers.patience.totalMs;
    for (let assumesFresh = true; ;) {
      const attempt: Attempt = { ids: requests.map(() => randomUUID()), known: 0, isSent: false, plan: undefined };
      try {
        const isLockFirst = this.#lockFirst > 0 || !assumesFresh;
        if (isLockFirst) this.#lockFirst -= 1;
        const plan = await (isLockFirst
          ? this.#commitLocked(requests, attempt, assumesFresh)
          : this.#commitOptimistic(requests, attempt));
        if (plan !== undefined) return this.#remember(attempt.known, plan);
        this.#lockFirst = LOCK_FIRST_BATCHES;
      } catch (error) {
        this.#recent = undefined;
        this.#servers.noteError(error);
        if (codeOf(error) === '23505' && assumesFresh) {
          assumesFresh = false;
          continue;
        }
        const isLost = isConnectionLost(error);
        if (!isLost && !isWorthRepeating(error)) throw toStoreError(error, this.#servers.address.shown);
        if (isLost) this.#slot.drop();
        if (isLost && attempt.isSent && (await this.#wasCommitted(attempt, end))) return attempt.plan!;
        if (Date.now() > end) throw toStoreError(error, this.#servers.address.shown);
        await delay(PAUSE_MS);
      }
    }
  }

  #remember(known: number, plan: Plan): Plan {
    if (plan.journal.length > 0) this.#recent = { revision: known + plan.journal.length, values: plan.finals };
    return plan;
  }

  /** Returns undefined if another process committed meanwhile. */
  async #commitOptimistic(requests: readonly CommitRequest[], attempt: Attempt): Promise<Plan | undefined> {
    const session = await this.#slot.session();
    const state = new KnownState();
    const guess = this.#guess(requests, state);
    attempt.known = guess ?? -1;
    if (guess === undefined) {
      const head = await this.#fetch(session, expectedNeeds(requests, this.#recent?.revision), state);
      if (head === undefined) return undefined;
      attempt.known = head;
    }
    let plan = planBatch(requests, attempt.known, state, true);
    if ('keys' in plan) {
      const fetched = await this.#fetch(session, plan, state);
      if (fetched !== attempt.known) return undefined;
      plan = planBatch(requests, attempt.known, state, true);
      if ('keys' in plan) return undefined;
    }
    if (plan.journal.length === 0) return guess === undefined ? plan : undefined;
    attempt.plan = plan;
    session.forgetWarnings();
    attempt.isSent = true;
    const values = this.#values(attempt, plan);
    const [row] = await session.rows<[number]>(COMMIT, values, this.#servers.patience.answerMs);
    failpoint('postgres.commit.after');
    if (row?.[0] !== attempt.known) {
      this.#recent = undefined;
      return undefined;
    }
    this.#refuseWarning(session);
    return plan;
  }

  /**
   * Returns the revision of the last batch if that batch provides all needed values. Without other writers, one round
   * trip is then enough, because the call itself checks the revision.
   */
  #guess(requests: readonly CommitRequest[], state: KnownState): number | undefined {
    const recent = this.#recent;
    if (recent === undefined) return undefined;
    const { keys, ranges } = expectedNeeds(requests, recent.revision);
    if (ranges.size > 0) return undefined;
    for (const key of keys) {
      if (!recent.values.has(key)) return undefined;
      state.values.set(key, recent.values.get(key));
    }
    return recent.revision;
  }

  async #commitLocked(requests: readonly CommitRequest[], attempt: Attempt, assumesFresh: boolean): Promise<Plan> {
    const session = await this.#slot.session();
    const { answerMs } = this.#servers.patience;
    const state = new KnownState();
    try {
      // All statements are sent together. At READ COMMITTED, the reads see everything that was committed before this
      // transaction obtained the lock.
      const begun = session.run('BEGIN', answerMs);
      const locked = session.rows<[number, string, string | null]>(LOCK_SPACE, [this.#space], answerMs);
      const fetched = this.#fetch(session, expectedNeeds(requests, undefined), state);
      await allSettled([begun, locked, fetched]);
      const [row] = await locked;
      if (row?.[1] !== 'open') throw Object.assign(new Error('moved'), { code: SPACE_CLOSED, detail: row?.[2] });
      attempt.known = row[0];
      let plan = planBatch(requests, attempt.known, state, assumesFresh);
      while ('keys' in plan) {
        await this.#fetch(session, plan, state);
        plan = planBatch(requests, attempt.known, state, assumesFresh);
      }
      attempt.plan = plan;
      if (plan.journal.length === 0) {
        await session.run('ROLLBACK', answerMs);
        return plan;
      }
      session.forgetWarnings();
      const applied = session.rows(APPLY, this.#values(attempt, plan), answerMs);
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

  #values({ known, ids }: Attempt, plan: Plan): unknown[] {
    const changed = new Columns();
    const fresh = new Columns();
    const deleted: string[] = [];
    for (const [key, value] of plan.finals) {
      if (value !== undefined) (plan.fresh.has(key) ? fresh : changed).add(key, value);
      else if (!plan.fresh.has(key)) deleted.push(key);
    }
    const journalIds = ids.slice(0, plan.journal.length);
    return [this.#space, known, ...changed.arrays, ...fresh.arrays, deleted, plan.journal, journalIds, plan.notes];
  }

  /**
   * Called if the answer to a commit was lost. Takes the lock, and so waits for a server process that is still
   * committing; then looks up the id. The lookup itself is a write: once it commits, a standby has everything that the
   * lookup saw.
   */
  async #wasCommitted({ ids, known }: Attempt, end: number): Promise<boolean> {
    for (;;) {
      try {
        return (await this.find(`${known}:${ids[0]!}`)) !== undefined;
      } catch (error) {
        if (Date.now() <= end && !this.#servers.isClosed) {
          await delay(PAUSE_MS);
          continue;
        }
        throw postgresErrors.STORE_IN_DOUBT(
          `${this.#servers.address.shown}: it is not known whether a commit was made`,
          { cause: error, details: { commit: `${known}:${ids[0]!}` } },
        );
      }
    }
  }

  /** Returns the revision of a commit; undefined if it was not made and never will be. */
  async find(commit: string): Promise<number | undefined> {
    const [known, id] = commit.split(':');
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
      return (await looked)[0]?.[0];
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
