import { failpoint } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { isConstraint, toStoreError } from './errors.ts';
import { appendEntry, currentRevision, type EntryKind, type Retention, trimJournal } from './journal/journal.ts';
import { encodeRowImages, type RowImage } from './journal/row-images.ts';
import { Misdescribed, Recorder, totalChanges } from './recorder.ts';
import { refusePromise } from './synchronous.ts';
import type { WriteLock } from './write-lock.ts';

/**
 * Transactions of one process share a commit. A durable commit costs one fsync, however much it contains. So all
 * transactions that are waiting when the lock is obtained become members of one commit. Each runs in its own savepoint,
 * so an error undoes only that member, and each gets its own journal entry and revision. None is acknowledged before
 * the commit is on disk. If the commit fails, all members fail. The exception is a violated deferred constraint: the
 * members then run again one by one, to find the member that violates it.
 */

/**
 * The work of one member under the write lock. Synchronous, so that it cannot hold the lock while it waits. It may run
 * again after a rollback, so it must have no side effects.
 */
export interface WriteTransaction {
  readonly connection: Connection;
  /** The revision that the body's reads see. */
  readonly revision: number;
  /** Sets the member's journal entry; needed only for changes not recorded as a changeset. */
  journal(changes: string, kind?: EntryKind): void;
  /** For `writeDescribed`: reports every changed row, before and after the change. */
  rows(images: readonly RowImage[]): void;
  note(text: string): void;
  /**
   * Writes the changes so far as a separate journal entry, so that a large transaction does not hold all of them in
   * memory. The transaction is still one commit.
   */
  split(): void;
}

/**
 * Source of a member's journal entry. `recorder`: an SQLite session, except for described changes. `session`: an SQLite
 * session only. `described`: the member's own description. `nothing`: none, because the data can be rebuilt.
 */
export type Recording = 'recorder' | 'session' | 'described' | 'nothing';

export interface Committed<T> {
  readonly value: T;
  /** The member's revision; if it changed nothing, the revision of the state it read. */
  readonly revision: number;
}

export interface GroupCommitOptions {
  readonly connection: Connection;
  readonly lock: WriteLock;
  readonly recordsChangesets: boolean;
  readonly retention: Retention;
  readonly now: () => number;
  readonly onCommit: (revision: number) => void;
}

interface Member {
  readonly body: (transaction: WriteTransaction) => unknown;
  readonly records: Recording;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly member: Member;
  readonly value?: unknown;
  readonly revision?: number;
  readonly error?: unknown;
}

/** Limits the size of a group, so that other processes need not wait long for the lock. */
const MEMBERS_MAX = 256;

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #queue: Member[] = [];
  /** Number of members at the head of the queue that commit one by one, because their group failed. */
  #singles = 0;
  #draining = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  submit<T>(body: (transaction: WriteTransaction) => T, records: Recording = 'recorder'): Promise<Committed<T>> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ body, records, resolve: resolve as Member['resolve'], reject });
      if (this.#draining) return;
      this.#draining = true;
      // Starts at the end of the event-loop turn, so that other transactions from this turn can join.
      this.#idle = new Promise((done) => setImmediate(() => void this.#drain().finally(done)));
    });
  }

  /** Resolves when everything submitted so far is settled. */
  async settled(): Promise<void> {
    while (this.#draining) await this.#idle;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      try {
        await this.#options.lock.acquire();
      } catch (error) {
        for (const member of this.#queue.splice(0)) member.reject(error);
        this.#singles = 0;
        break;
      }
      this.#commit(this.#nextGroup());
    }
    this.#draining = false;
  }

  #nextGroup(): readonly Member[] {
    if (this.#singles === 0) return this.#queue.splice(0, MEMBERS_MAX);
    this.#singles -= 1;
    return this.#queue.splice(0, 1);
  }

  #commit(group: readonly Member[]): void {
    const { connection, onCommit } = this.#options;
    let outcomes: readonly Outcome[];
    let changed: number;
    try {
      const base = currentRevision(connection);
      [outcomes, changed] = this.#runMembers(group, base);
      failpoint('sqlite.commit.before');
      connection.prepare('COMMIT').run();
      failpoint('sqlite.commit.after');
    } catch (error) {
      this.#abandon();
      if (group.length > 1 && isConstraint(error)) {
        this.#queue.unshift(...group);
        this.#singles = group.length;
        return;
      }
      const reason = toStoreError(error, connection.path);
      for (const member of group) member.reject(reason);
      return;
    }
    for (const { member, value, revision, error } of outcomes) {
      if (revision === undefined) member.reject(toStoreError(error, connection.path));
      else member.resolve({ value, revision });
    }
    onCommit(changed);
  }

  /** Returns each member's outcome and the last revision. */
  #runMembers(group: readonly Member[], base: number): [Outcome[], number] {
    const { connection } = this.#options;
    const outcomes: Outcome[] = [];
    let revision = base;
    const [only] = group;
    if (only !== undefined && group.length === 1) {
      // A single member needs no savepoint: an error rolls back the transaction.
      const outcome = this.#runMember(only, base);
      return [[outcome], outcome.revision];
    }
    for (const member of group) {
      connection.prepare('SAVEPOINT member').run();
      try {
        const outcome = this.#runMember(member, revision);
        connection.prepare('RELEASE member').run();
        revision = outcome.revision;
        outcomes.push(outcome);
      } catch (error) {
        // On a full disk, SQLite itself rolls everything back, so nothing is left to commit.
        if (!connection.inTransaction) throw error;
        connection.prepare('ROLLBACK TO member').run();
        connection.prepare('RELEASE member').run();
        outcomes.push({ member, error });
      }
    }
    return [outcomes, revision];
  }

  #runMember(member: Member, base: number): Outcome & { revision: number } {
    const { connection, recordsChangesets, retention, now } = this.#options;
    let changes: string | Uint8Array | undefined;
    let kind: EntryKind = recordsChangesets ? 'changeset' : 'keys';
    let note: string | undefined;
    const describes = member.records === 'described';
    const records = recordsChangesets && (member.records === 'recorder' || member.records === 'session');
    const recorder = records ? new Recorder(connection) : undefined;
    if (member.records === 'recorder') connection.recorder = recorder;
    const changedBefore = describes ? totalChanges(connection) : 0;
    let images: readonly RowImage[] = [];
    const at = now();
    let revision = base;
    try {
      const value = member.body({
        connection,
        revision: base,
        journal(given, givenKind) {
          changes = given;
          if (givenKind !== undefined) kind = givenKind;
        },
        rows(given) {
          images = given;
        },
        note(text) {
          note = text;
        },
        split() {
          const soFar = recorder?.changes();
          if (soFar !== undefined) revision = appendEntry(connection, { at, kind, changes: soFar, note });
          recorder?.restart();
        },
      });
      refusePromise(value);
      changes ??= recorder?.changes();
      if (describes) {
        if (totalChanges(connection) - changedBefore !== images.length) throw new Misdescribed();
        const described = encodeRowImages(images);
        if (described.length > 0) changes = described;
      }
      if (changes === undefined) return { member, value, revision };
      revision = appendEntry(connection, { at, kind, changes, note });
      trimJournal(connection, revision, retention, at);
      return { member, value, revision };
    } finally {
      connection.recorder = undefined;
      recorder?.close();
    }
  }

  #abandon(): void {
    const { connection } = this.#options;
    if (!connection.isOpen || !connection.inTransaction) return;
    try {
      connection.prepare('ROLLBACK').run();
    } catch {
      // SQLite has already ended the transaction; the caller reports the original error.
    }
  }
}
