import { existsSync, readFileSync } from 'node:fs';

import {
  counter,
  type EngineCommit,
  engineOn,
  Keyspace,
  log,
  record,
  type Schema,
  type StandardSchema,
} from '@holdfast/keyspace';
import { type Database, openDatabase } from '@holdfast/sqlite';

import { type Counts, violate } from './campaign.ts';

/** Data of the campaign `store`. Every transaction changes data of every kind. */

interface Order {
  readonly id: string;
  readonly writer: string;
  /** Whether the transaction also changed the record that all writers share. */
  readonly contended: boolean;
  readonly padding: string;
}

/** Accepts anything: the campaign checks presence, not content. */
function any<T>(): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'holdfast-crash', validate: (value) => ({ value: value as T }) } };
}

export const orders = record('order/{id}', any<Order>(), { indexes: { writer: 'by/writer/{writer}/{id}' } });
export const contested = record('contested', any<{ readonly count: number }>());
export const entries = log('entry/{seq}', any<{ readonly id: string }>(), { counter: 'lastlog' });
export const total = counter('total');

export const storeSchema: Schema = { orders, contested, entries, total };

export interface Task {
  readonly name: string;
  readonly database: string;
  /** File for started and acknowledged transactions. */
  readonly toldFile: string;
  /** First number of each lane; lanes run concurrently. */
  readonly firstNumbers: readonly number[];
  readonly seed: number;
  /** Acknowledges every commit early, to test that the campaign notices. */
  readonly isLiar: boolean;
}

/** Started and acknowledged transactions of one writer, from its file. */
export class Ledger {
  readonly name: string;
  readonly file: string;
  readonly started = new Set<string>();
  readonly acknowledged = new Map<string, number>();
  readonly #next: number[];
  #read = 0;

  constructor(name: string, file: string, lanes: number) {
    this.name = name;
    this.file = file;
    this.#next = Array.from({ length: lanes }, () => 1);
  }

  /** Next number of each lane. */
  get nextNumbers(): readonly number[] {
    return this.#next;
  }

  /** Reads new lines. A killed writer can leave half a line, which is ignored. */
  update(): void {
    if (!existsSync(this.file)) return;
    const bytes = readFileSync(this.file);
    const text = bytes.subarray(this.#read).toString();
    this.#read = bytes.length;
    for (const line of text.split('\n')) this.#note(line);
  }

  /** Drops checked entries. */
  forget(): void {
    this.started.clear();
    this.acknowledged.clear();
  }

  #note(line: string): void {
    const [what, lane, n, revision] = line.split(' ');
    if (n === undefined) return;
    const id = `${this.name}.${lane}.${n}`;
    if (what === 's') {
      this.started.add(id);
      this.#next[Number(lane)] = Number(n) + 1;
    } else if (revision !== undefined) {
      this.acknowledged.set(id, Number(revision));
    }
  }
}

const PAGE = 1_000;

/** Compares a database with the acknowledgements of its writers, continuing from the last comparison. */
export class StoreCheck {
  readonly #path: string;
  readonly #counts: Counts;
  /** Everything found in the journal so far, with its revision. */
  readonly #committed = new Map<string, number>();
  #contended = 0;
  #revision = 0;

  constructor(path: string, counts: Counts) {
    this.#path = path;
    this.#counts = counts;
  }

  async compare(ledgers: readonly Ledger[], isWhole: boolean): Promise<void> {
    for (const ledger of ledgers) ledger.update();
    const database = await openDatabase({ path: this.#path, kind: 'keyspace' });
    try {
      const keyspace = new Keyspace(engineOn(database), storeSchema);
      const fresh = await this.#readJournal(keyspace);
      this.#compareWithTold(ledgers, fresh);
      for (const id of fresh) await this.#checkOrder(keyspace, id);
      await this.#checkCounters(keyspace);
      if (isWhole) await this.#checkAll(keyspace, database);
    } finally {
      // A full close would be slow. The next garbage collection closes the remaining files.
      await database.close({ processIsEnding: true });
    }
    for (const ledger of ledgers) ledger.forget();
  }

  /** Reads orders committed since the last call. Every commit must be complete. */
  async #readJournal(keyspace: Keyspace): Promise<string[]> {
    const fresh: string[] = [];
    for (;;) {
      const commits = await keyspace.engine.changes(this.#revision, PAGE);
      if (commits.length === 0) return fresh;
      for (const commit of commits) {
        if (commit.revision !== this.#revision + 1) {
          violate(this.#counts, 'partial', `revision ${commit.revision} follows ${this.#revision}`);
        }
        this.#revision = commit.revision;
        fresh.push(...this.#readCommit(commit));
      }
    }
  }

  #readCommit({ revision, changes }: EngineCommit): string[] {
    const keys = changes.map(({ key }) => key);
    const has = (prefix: string): boolean => keys.some((key) => key.startsWith(prefix));
    const ids = keys.flatMap((key) => orders.template.decode(key)?.['id'] ?? []) as string[];
    const id = ids[0];
    const isWhole = ids.length === 1 && ['by/writer/', 'entry/', 'lastlog', 'total'].every(has);
    if (!isWhole || id === undefined) {
      violate(this.#counts, 'partial', `revision ${revision} changed only ${keys.join(', ')}`);
    } else if (this.#committed.has(id)) {
      violate(this.#counts, 'phantom', `${id} was committed twice, at ${this.#committed.get(id)} and ${revision}`);
    } else {
      this.#committed.set(id, revision);
    }
    return ids;
  }

  #compareWithTold(ledgers: readonly Ledger[], fresh: readonly string[]): void {
    const started = new Set(ledgers.flatMap((ledger) => [...ledger.started]));
    for (const id of fresh) {
      if (!started.has(id)) violate(this.#counts, 'phantom', `${id} is there, but nobody started it`);
    }
    for (const { acknowledged } of ledgers) {
      for (const [id, revision] of acknowledged) {
        this.#counts.acknowledged += 1;
        const actual = this.#committed.get(id);
        if (actual === undefined) violate(this.#counts, 'lost', `${id} was acknowledged as revision ${revision}`);
        else if (actual !== revision && revision !== 0) {
          violate(this.#counts, 'partial', `${id} was acknowledged as revision ${revision}, but is ${actual}`);
        }
      }
    }
  }

  /** Checks the stored record, index entry and log entry. */
  async #checkOrder(keyspace: Keyspace, id: string): Promise<void> {
    const order = await keyspace.get(orders, { id });
    if (order === undefined) {
      violate(this.#counts, 'partial', `${id} is in the journal, but there is no record`);
      return;
    }
    if (order.contended) this.#contended += 1;
    const index = orders.by.writer.template.encode({ writer: order.writer, id });
    if ((await keyspace.engine.get(index)) === undefined) violate(this.#counts, 'partial', `${id} has no index entry`);
  }

  async #checkCounters(keyspace: Keyspace): Promise<void> {
    const expected = this.#committed.size;
    const last = (await keyspace.list(entries, {}, { reverse: true, limit: 1 }))[0];
    const found = {
      total: await keyspace.get(total, {}),
      log: Number((await keyspace.engine.get('lastlog')) ?? 0),
      contended: (await keyspace.get(contested, {}))?.count ?? 0,
    };
    if (found.total !== expected) violate(this.#counts, 'partial', `total is ${found.total}, not ${expected}`);
    if (found.log !== expected) violate(this.#counts, 'partial', `the log counts ${found.log}, not ${expected}`);
    if (found.contended !== this.#contended) {
      violate(this.#counts, 'partial', `the contested record counts ${found.contended}, not ${this.#contended}`);
    }
    if (last !== undefined && !this.#committed.has(last.id)) {
      violate(this.#counts, 'phantom', `the log ends with ${last.id}`);
    }
  }

  /** Checks every key and runs SQLite's integrity check. */
  async #checkAll(keyspace: Keyspace, database: Database): Promise<void> {
    const report = await keyspace.verify();
    for (const { kind, key, detail } of report.problems) violate(this.#counts, 'partial', `${kind} ${key}: ${detail}`);
    for (const problem of database.integrityProblems()) violate(this.#counts, 'partial', problem);
    const listed = await keyspace.list(entries, {});
    const isSame = listed.length === this.#committed.size && listed.every(({ id }) => this.#committed.has(id));
    if (!isSame) violate(this.#counts, 'partial', `the log has ${listed.length} entries, not ${this.#committed.size}`);
    const count = this.#committed.size * 2;
    if (report.records !== count + (this.#contended > 0 ? 1 : 0)) {
      violate(this.#counts, 'partial', `${report.records} records and log entries instead of ${count}`);
    }
  }
}
