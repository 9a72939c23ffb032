import { Connection, type SqlValue } from '@holdfast/sqlite';

import { makeEvent, type MetaValue, type TaskValue } from './workload.ts';

/**
 * Hand-written SQL without a keyspace: the same keys, values and journal rows through prepared statements on the same
 * driver and settings, and nothing else.
 */
export class ByHand {
  readonly #connection: Connection;
  readonly #begin;
  readonly #commit;
  readonly #select;
  readonly #range;
  readonly #insert;
  readonly #update;
  readonly #journal;

  constructor(path: string, synchronous: 'FULL' | 'OFF') {
    const connection = new Connection(path, { synchronous, busyTimeoutMs: 5_000, cacheKib: 10_000 });
    this.#connection = connection;
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#select = connection.prepareArrays('SELECT value FROM keyspace WHERE key = ?');
    this.#range = connection.prepareArrays(
      'SELECT key, value FROM keyspace WHERE key >= ? AND key < ? ORDER BY key LIMIT ?',
    );
    this.#insert = connection.prepare('INSERT INTO keyspace (key, value) VALUES (?, ?)');
    this.#update = connection.prepare('UPDATE keyspace SET value = ? WHERE key = ?');
    this.#journal = connection.prepare('INSERT INTO holdfast_journal (at, kind, changes, note) VALUES (?, ?, ?, ?)');
  }

  /** Adds a task: record, index entry, meta, counter, numbered log entry and journal; six reads, seven writes. */
  addTask(sid: string, task: TaskValue): void {
    this.#begin.run();
    const changes: [string, SqlValue, SqlValue][] = [];
    const prefix = `s/${sid}/`;
    this.#put(changes, `${prefix}idx/status/${task.status}/${task.id}`, '');
    this.#put(changes, `${prefix}task/${task.id}`, JSON.stringify(task));
    this.#putMeta(changes, sid, task.updated_at);
    this.#add(changes, `stats/${sid}`);
    const seq = this.#add(changes, `${prefix}meta/evt_seq`);
    const eventKey = `${prefix}evt/${seq.toString(16).padStart(16, '0')}`;
    this.#put(changes, eventKey, JSON.stringify(makeEvent(seq, task)));
    this.#journal.run(Date.now(), 'keys', JSON.stringify(changes), null);
    this.#commit.run();
  }

  /** Reads a task like the keyspace's `get`. */
  getTask(sid: string, id: string): TaskValue | undefined {
    const row = this.#select.get(`s/${sid}/task/${id}`) as [string] | undefined;
    return row === undefined ? undefined : (JSON.parse(row[0]) as TaskValue);
  }

  /** The first tasks of a session. */
  listTasks(sid: string, limit: number): TaskValue[] {
    const rows = this.#range.all(`s/${sid}/task/`, `s/${sid}/task0`, limit) as [string, string][];
    return rows.map((row) => JSON.parse(row[1]) as TaskValue);
  }

  keys(): unknown {
    return this.#connection.prepareArrays('SELECT key, value FROM keyspace ORDER BY key').all();
  }

  journal(): unknown[] {
    const rows = this.#connection.all<{ changes: string }>('SELECT changes FROM holdfast_journal ORDER BY revision');
    return rows.map(({ changes }) => JSON.parse(changes) as unknown);
  }

  close(): void {
    this.#connection.close();
  }

  #put(changes: [string, SqlValue, SqlValue][], key: string, value: string): void {
    this.#write(changes, key, this.#read(key), value);
  }

  #putMeta(changes: [string, SqlValue, SqlValue][], sid: string, at: string): void {
    const key = `s/${sid}/meta`;
    const before = this.#read(key);
    const meta = before === null ? { sid, state: 'active', dir_hash: sid } : (JSON.parse(before) as MetaValue);
    this.#write(changes, key, before, JSON.stringify({ ...meta, last_updated_at: at }));
  }

  #add(changes: [string, SqlValue, SqlValue][], key: string): number {
    const before = this.#read(key);
    const sum = Number(before ?? '0') + 1;
    this.#write(changes, key, before, String(sum));
    return sum;
  }

  #read(key: string): string | null {
    const row = this.#select.get(key) as [string] | undefined;
    return row === undefined ? null : row[0];
  }

  #write(changes: [string, SqlValue, SqlValue][], key: string, before: string | null, after: string): void {
    if (before === null) this.#insert.run(key, after);
    else this.#update.run(after, key);
    changes.push([key, before, after]);
  }
}
