import type { StoredValue } from '@holdfast/base';

import type { Entry } from './engine.ts';
import { afterKey } from './keys/order.ts';
import { keyMatcher, type KeyRole } from './key-roles.ts';
import type { EntryDefinition, LogDefinition } from './schema/definitions.ts';
import type { IndexDefinition } from './schema/index-definition.ts';
import { decodeCounter, encodeCounter } from './schema/value-codec.ts';
import type { Transaction } from './transaction.ts';
import type { Transactor } from './transactor.ts';

/**
 * Recomputes everything derived and compares it with what is stored.
 *
 * One ordered pass, one page in memory at a time: records must have their index entries, index entries must belong to
 * an existing record, logs must have no gaps, and counters must agree. Repair checks again inside a transaction before
 * it writes, so others can continue.
 */

type ProblemKind =
  'unknown_key' | 'unreadable_value' | 'missing_index' | 'wrong_index' | 'stale_index' | 'log_gap' | 'wrong_counter';

export interface Problem {
  readonly kind: ProblemKind;
  readonly key: string;
  readonly detail: string;
  readonly repaired: boolean;
}

export interface VerifyReport {
  readonly keys: number;
  readonly records: number;
  readonly indexes: number;
  readonly problems: readonly Problem[];
}

export interface VerifyOptions {
  readonly onProgress?: (keys: number) => void;
}

export function verify(keyspace: Transactor, options?: VerifyOptions): Promise<VerifyReport> {
  return new Check(keyspace, false, options).run();
}

export function repair(keyspace: Transactor, options?: VerifyOptions): Promise<VerifyReport> {
  return new Check(keyspace, true, options).run();
}

const PAGE = 1_000;
const PROBLEMS_MAX = 10_000;

interface LogState {
  readonly definition: LogDefinition;
  readonly key: Readonly<Record<string, unknown>>;
  last: number;
}

class Check {
  readonly #keyspace: Transactor;
  readonly #repairs: boolean;
  readonly #onProgress: (keys: number) => void;
  readonly #roleOf: (key: string) => KeyRole | undefined;
  readonly #logs = new Map<string, LogState>();
  readonly #problems: Problem[] = [];
  #keys = 0;
  #records = 0;
  #indexes = 0;

  constructor(keyspace: Transactor, repairs: boolean, options: VerifyOptions = {}) {
    this.#keyspace = keyspace;
    this.#repairs = repairs;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#roleOf = keyMatcher(keyspace.schema);
  }

  async run(): Promise<VerifyReport> {
    let gte = '';
    for (;;) {
      const entries = await this.#keyspace.engine.range({ gte, lt: '\u{10ffff}', limit: PAGE, reverse: false });
      for (const entry of entries) await this.#checkEntry(entry);
      this.#keys += entries.length;
      this.#onProgress(this.#keys);
      const last = entries.at(-1);
      if (last === undefined) break;
      gte = afterKey(last[0]);
    }
    for (const log of this.#logs.values()) await this.#checkCounter(log);
    const problems = this.#problems.slice(0, PROBLEMS_MAX);
    return { keys: this.#keys, records: this.#records, indexes: this.#indexes, problems };
  }

  async #checkEntry([key, stored]: Entry): Promise<void> {
    const role = this.#roleOf(key);
    if (role === undefined) {
      this.#report('unknown_key', key, 'belongs to no record, index, log or counter of this schema');
    } else if (role.type === 'index') {
      this.#indexes += 1;
      await this.#checkIndexEntry(role.definition, role.index, key, stored);
    } else if (role.type === 'counter') {
      this.#attempt(key, () => decodeCounter(stored, role.definition.encoding));
    } else if (role.type === 'record') {
      this.#records += 1;
      await this.#checkRecord(role.definition, key, stored);
    }
  }

  async #checkRecord(definition: EntryDefinition, key: string, stored: StoredValue): Promise<void> {
    const values = definition.template.decode(key) ?? {};
    const value = this.#attempt(key, () => ({ value: definition.codec.decode(stored, key) }));
    if (definition.type === 'log') this.#checkNumber(definition, key, values);
    if (value === undefined) return;
    for (const index of definition.indexes) {
      for (const [indexKey, expected] of index.entries(value.value, values)) {
        const actual = await this.#keyspace.engine.get(indexKey);
        if (actual === expected) continue;
        const kind = actual === undefined ? 'missing_index' : 'wrong_index';
        await this.#reportAndRepair(kind, indexKey, `index ${index.name} of ${key}`, (transaction) =>
          this.#reindex(transaction, definition, index, key),
        );
      }
    }
  }

  async #checkIndexEntry(
    definition: EntryDefinition,
    index: IndexDefinition,
    indexKey: string,
    stored: StoredValue,
  ): Promise<void> {
    const isSupported = async (read: (key: string) => Promise<StoredValue | undefined>): Promise<boolean> => {
      const primary = index.primaryKey(indexKey, stored);
      if (primary === undefined) return false;
      const key = definition.template.encode(primary);
      const record = await read(key);
      if (record === undefined) return false;
      const value = readable(definition, record, key);
      // An unreadable record is reported by itself; its index entries are unknown.
      if (value === undefined) return true;
      return index.entries(value, definition.template.decode(key) ?? {}).some(([expected]) => expected === indexKey);
    };
    if (await isSupported(async (key) => this.#keyspace.engine.get(key))) return;
    await this.#reportAndRepair(
      'stale_index',
      indexKey,
      `no record leads to this entry of ${index.name}`,
      async (tx) => {
        if (!(await isSupported((key) => tx.readKey(key)))) tx.writeKey(indexKey, undefined);
      },
    );
  }

  #checkNumber(definition: LogDefinition, key: string, values: Readonly<Record<string, unknown>>): void {
    const sequence = values[definition.template.holeNames.at(-1) as string] as number;
    const counterKey = definition.counter.template.encode(values);
    const log = this.#logs.get(counterKey);
    // Numbers start at 1, or at 0 where an application wrote an entry with the initial counter.
    const beforeFirst = definition.trimmable || sequence === 0 ? sequence - 1 : 0;
    const previous = log?.last ?? beforeFirst;
    if (sequence !== previous + 1) this.#report('log_gap', key, `follows number ${previous}`);
    if (log === undefined) this.#logs.set(counterKey, { definition, key: values, last: sequence });
    else log.last = sequence;
  }

  async #checkCounter({ definition, key, last }: LogState): Promise<void> {
    const { counter, counterHolds } = definition;
    const counterKey = counter.template.encode(key);
    const expected = counterHolds === 'last' ? last : last + 1;
    const isRight = async (stored: StoredValue | undefined): Promise<boolean> =>
      // Entries may have been appended since the scan; only a counter that is behind would lose them.
      (this.#attempt(counterKey, () => decodeCounter(stored, counter.encoding)) ?? -1) >= expected;
    if (await isRight(await this.#keyspace.engine.get(counterKey))) return;
    await this.#reportAndRepair('wrong_counter', counterKey, `must be at least ${expected}`, async (transaction) => {
      if (!(await isRight(await transaction.readKey(counterKey)))) {
        transaction.writeKey(counterKey, encodeCounter(expected, counter.encoding));
      }
    });
  }

  async #reindex(
    transaction: Transaction,
    definition: EntryDefinition,
    index: IndexDefinition,
    key: string,
  ): Promise<void> {
    const stored = await transaction.readKey(key);
    if (stored === undefined) return;
    const value = definition.codec.decode(stored, key);
    for (const [indexKey, expected] of index.entries(value, definition.template.decode(key) ?? {})) {
      transaction.writeKey(indexKey, expected);
    }
  }

  #attempt<T>(key: string, body: () => T): T | undefined {
    try {
      return body();
    } catch (error) {
      this.#report('unreadable_value', key, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #report(kind: ProblemKind, key: string, detail: string): void {
    this.#problems.push({ kind, key, detail, repaired: false });
  }

  async #reportAndRepair(
    kind: ProblemKind,
    key: string,
    detail: string,
    fix: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    if (this.#repairs) await this.#keyspace.transact(fix);
    this.#problems.push({ kind, key, detail, repaired: this.#repairs });
  }
}

function readable(definition: EntryDefinition, stored: StoredValue, key: string): unknown {
  try {
    return definition.codec.decode(stored, key);
  } catch {
    return undefined;
  }
}
