import { schemaErrors, type StoredValue } from '@holdfast/base';

import type { Entry } from './storage-engine.ts';
import { afterKey, prefixSuccessor } from './keys/order.ts';
import { keyMatcher, type KeyRole } from './key-roles.ts';
import type { EntryDefinition, LogDefinition } from './schema/record-definitions.ts';
import type { IndexDefinition } from './schema/index-definition.ts';
import { decodeCounter, encodeCounter } from './schema/value-codec.ts';
import type { Transaction } from './transaction.ts';
import type { Transactor } from './transactor.ts';

/**
 * Recomputes all indexes and log counters and compares them with the stored ones.
 *
 * Scans all keys once in order, one page in memory at a time. Records must have their index entries, index entries must
 * belong to an existing record, logs must have no gaps, and counters must agree. Repair checks again inside a
 * transaction before it writes, so other writers can continue.
 *
 * Repair first restores values from the journal. If the journal does not have an unreadable value, the value is set
 * aside: it moves to `holdfast:set-aside/{revision}/{key}`, where it affects no reads and can be inspected.
 */

type ProblemKind =
  | 'journal_differs'
  | 'unknown_key'
  | 'unreadable_value'
  | 'missing_index'
  | 'wrong_index'
  | 'stale_index'
  | 'log_gap'
  | 'wrong_counter';

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
  /** Original keys of values that a repair has set aside. */
  readonly setAside: readonly string[];
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

const SET_ASIDE = 'holdfast:set-aside/';
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
  readonly #setAside = new Set<string>();
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
    if (this.#repairs) await this.#restoreValues();
    for await (const [key] of this.#entries(SET_ASIDE)) this.#setAside.add(key.replace(/^[^/]*\/\d+\//, ''));
    for await (const entry of this.#entries('')) {
      await this.#checkEntry(entry);
      this.#keys += 1;
      if (this.#keys % PAGE === 0) this.#onProgress(this.#keys);
    }
    this.#onProgress(this.#keys);
    for (const log of this.#logs.values()) await this.#checkCounter(log);
    const problems = this.#problems.slice(0, PROBLEMS_MAX);
    return {
      keys: this.#keys,
      records: this.#records,
      indexes: this.#indexes,
      setAside: [...this.#setAside],
      problems,
    };
  }

  async *#entries(prefix: string): AsyncGenerator<Entry, void, undefined> {
    const lt = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
    for (let gte = prefix; ;) {
      const entries = await this.#keyspace.engine.range({ gte, lt, limit: PAGE, reverse: false });
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined) return;
      gte = afterKey(last[0]);
    }
  }

  /** Runs before the checks, so that indexes and counters are derived from restored records. */
  async #restoreValues(): Promise<void> {
    for (const key of (await this.#keyspace.engine.restoreJournalled?.()) ?? []) {
      this.#problems.push({ kind: 'journal_differs', key, detail: 'restored from the journal', repaired: true });
    }
    const revision = await this.#keyspace.engine.revision();
    for await (const [key, stored] of this.#entries('')) {
      if (key.startsWith(SET_ASIDE)) continue;
      const problem = unreadable(this.#roleOf(key), stored, key);
      if (problem === undefined) continue;
      await this.#reportAndRepair('unreadable_value', key, `${problem}; set aside`, async (tx) => {
        const current = await tx.readKey(key);
        if (current === undefined || unreadable(this.#roleOf(key), current, key) === undefined) return;
        tx.writeKey(`${SET_ASIDE}${revision}/${key}`, current);
        tx.writeKey(key, undefined);
      });
    }
  }

  async #checkEntry([key, stored]: Entry): Promise<void> {
    if (key.startsWith(SET_ASIDE)) return;
    const role = this.#roleOf(key);
    if (role === undefined) {
      this.#report('unknown_key', key, 'belongs to no record, index, log or counter of this schema');
    } else if (role.type === 'index') {
      this.#indexes += 1;
      await this.#checkIndexEntry(role.definition, role.index, key);
    } else if (role.type === 'counter') {
      this.#attempt(key, () => decodeCounter(stored, role.definition.encoding, key));
    } else if (role.type === 'record') {
      this.#records += 1;
      await this.#checkRecord(role.definition, key, stored);
    }
  }

  async #checkRecord(definition: EntryDefinition, key: string, stored: StoredValue): Promise<void> {
    const values = definition.template.decode(key) ?? {};
    const value = this.#attempt(key, () => ({ value: decodeWhole(definition, stored, key) }));
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

  async #checkIndexEntry(definition: EntryDefinition, index: IndexDefinition, indexKey: string): Promise<void> {
    const isSupported = async (read: (key: string) => Promise<StoredValue | undefined>): Promise<boolean> => {
      // Reads the entry again, because the check of its record may just have repaired it.
      const stored = await read(indexKey);
      if (stored === undefined) return true;
      const key = attempt(() => {
        const primary = index.primaryKey(indexKey, stored);
        return primary === undefined ? undefined : definition.template.encode(primary);
      });
      if (key === undefined) return false;
      const record = await read(key);
      if (record === undefined) return false;
      const value = attempt(() => decodeWhole(definition, record, key));
      // The record is unreadable, so its index entries cannot be computed. The check of the record reports the problem.
      if (value === undefined) return true;
      return index.entries(value, definition.template.decode(key) ?? {}).some(([expected]) => expected === indexKey);
    };
    if (await isSupported(async (key) => this.#keyspace.engine.get(key))) return;
    await this.#reportAndRepair(
      'stale_index',
      indexKey,
      `no record for this entry of index ${index.name}`,
      async (tx) => {
        if (!(await isSupported((key) => tx.readKey(key)))) tx.writeKey(indexKey, undefined);
      },
    );
  }

  #checkNumber(definition: LogDefinition, key: string, values: Readonly<Record<string, unknown>>): void {
    const sequence = values[definition.template.placeholderNames.at(-1) as string] as number;
    const counterKey = definition.counter.template.encode(values);
    const log = this.#logs.get(counterKey);
    // Numbers start at 1, or at 0 if an application wrote the first entry with the counter's initial value.
    const beforeFirst = definition.trimmable || sequence === 0 ? sequence - 1 : 0;
    const previous = log?.last ?? beforeFirst;
    if (!this.#areSetAside(definition, values, previous + 1, sequence)) {
      this.#report('log_gap', key, `follows number ${previous}`);
    }
    if (log === undefined) this.#logs.set(counterKey, { definition, key: values, last: sequence });
    else log.last = sequence;
  }

  /** Returns whether every log entry from `first` (inclusive) to `end` (exclusive) has been set aside. */
  #areSetAside(
    definition: LogDefinition,
    values: Readonly<Record<string, unknown>>,
    first: number,
    end: number,
  ): boolean {
    if (end < first) return false;
    const placeholder = definition.template.placeholderNames.at(-1) as string;
    for (let sequence = first; sequence < end; sequence += 1) {
      if (!this.#setAside.has(definition.template.encode({ ...values, [placeholder]: sequence }))) return false;
    }
    return true;
  }

  async #checkCounter({ definition, key, last }: LogState): Promise<void> {
    const { counter, counterHolds } = definition;
    const counterKey = counter.template.encode(key);
    const expected = counterHolds === 'last' ? last : last + 1;
    const isRight = async (stored: StoredValue | undefined): Promise<boolean> =>
      // Accepts a larger counter, because entries may have been appended since the scan. A smaller counter would reuse
      // numbers.
      (attempt(() => decodeCounter(stored, counter.encoding, counterKey)) ?? -1) >= expected;
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

function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

/** Decodes a value. Throws if a field contradicts the key, because index entries would then point nowhere. */
function decodeWhole({ codec, template }: EntryDefinition, stored: StoredValue, key: string): unknown {
  const value = codec.decode(stored, key);
  if (typeof value !== 'object' || value === null) return value;
  const fields = new Map(Object.entries(value));
  const repeated = template.placeholderNames.filter((name) => typeof fields.get(name) === 'string');
  const claimed = Object.fromEntries(repeated.map((name) => [name, fields.get(name) as unknown]));
  if (template.encode({ ...template.decode(key), ...claimed }) === key) return value;
  throw schemaErrors.VALUE_UNREADABLE(`The value under ${key} belongs to another key`);
}

/**
 * Returns the reason why a value cannot be decoded, or undefined if it can be decoded. Ignores index entries, which are
 * derived and never set aside.
 */
function unreadable(role: KeyRole | undefined, stored: StoredValue, key: string): string | undefined {
  try {
    if (role?.type === 'record') decodeWhole(role.definition, stored, key);
    else if (role?.type === 'counter') decodeCounter(stored, role.definition.encoding, key);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
