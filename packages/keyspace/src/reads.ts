import { readPage, type StoredValue } from '@holdfast/base';

import type { Entry, Maybe, RangeRequest } from './storage-engine.ts';
import { keyspaceErrors } from './errors.ts';
import { afterKey, compareKeys } from './keys/order.ts';
import type { KeyRange, Template } from './keys/template.ts';
import type { KeyOf, LeadingKeyOf } from './keys/types.ts';
import type { CounterDefinition, EntryDefinition, IndexReference } from './schema/record-definitions.ts';
import { decodeCounter } from './schema/value-codec.ts';

/** The state that reads see: the latest one, a snapshot, or a transaction with its own writes. */
export interface View {
  get(key: string): Maybe<StoredValue | undefined>;
  getMany(keys: readonly string[]): Maybe<readonly (StoredValue | undefined)[]>;
  range(range: RangeRequest): Maybe<readonly Entry[]>;
}

/** A record, a log, or an index of one of them. */
export type Listable<Source extends string, Value> =
  EntryDefinition<Source, Value> | IndexReference<Source, EntryDefinition<string, Value>>;

export interface ListOptions {
  readonly limit?: number;
  readonly reverse?: boolean;
  /** Range for the first placeholder that has no value: `start` (inclusive) to `end` (exclusive). */
  readonly start?: string | number | bigint;
  readonly end?: string | number | bigint;
}

export interface PageOptions extends ListOptions {
  /** `cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface Page<Value> {
  readonly items: readonly Value[];
  /** Absent on the last page. */
  readonly cursor: string | undefined;
}

export interface Found<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

const UNLIMITED = 2 ** 31 - 1;
const PAGE_LIMIT = 100;
const FETCH_MIN = 16;

interface Row {
  /** The scanned key: the key of the record or of the index entry. */
  readonly scanned: string;
  readonly key: string;
  readonly value: unknown;
}

/** Called with the key of a value that cannot be decoded and is left out of the answer. */
export type OnUnreadable = (key: string, error: unknown) => void;

export class Reads {
  readonly #view: View;
  readonly #onUnreadable: OnUnreadable | undefined;
  readonly #fetchMax: number;

  /**
   * Without `onUnreadable`, reading an unreadable value throws. `fetchMax` limits the entries per fetch, so that a long
   * list does not hold all stored texts at once. Only a view that never changes may be read in several fetches.
   */
  constructor(view: View, onUnreadable?: OnUnreadable, fetchMax = UNLIMITED) {
    this.#view = view;
    this.#onUnreadable = onUnreadable;
    this.#fetchMax = fetchMax;
  }

  /** The same reads, but they throw on an unreadable value. */
  get strict(): Reads {
    return this.#onUnreadable === undefined ? this : new Reads(this.#view, undefined, this.#fetchMax);
  }

  /** The same reads, but they omit unreadable values. */
  leavingOut(onUnreadable: OnUnreadable): Reads {
    return new Reads(this.#view, onUnreadable, this.#fetchMax);
  }

  get<Source extends string>(definition: CounterDefinition<Source>, key: KeyOf<Source>): Promise<number>;
  get<Source extends string, Value>(
    definition: EntryDefinition<Source, Value>,
    key: KeyOf<Source>,
  ): Promise<Value | undefined>;
  async get(definition: EntryDefinition | CounterDefinition, key: Readonly<Record<string, unknown>>): Promise<unknown> {
    const encoded = definition.template.encode(key);
    const stored = await this.#view.get(encoded);
    if (definition.type === 'counter') return this.#counter(definition, stored, encoded);
    return stored === undefined ? undefined : this.#decode(definition, stored, encoded);
  }

  /** Returns one value per key, in order; undefined for a key without a value. */
  async getMany<Source extends string, Value>(
    definition: EntryDefinition<Source, Value>,
    keys: readonly KeyOf<Source>[],
  ): Promise<(Value | undefined)[]> {
    const encoded = keys.map((key) => definition.template.encode(key));
    const stored = await this.#view.getMany(encoded);
    return stored.map((value, index) =>
      value === undefined ? undefined : this.#decode(definition, value, encoded[index] as string),
    ) as (Value | undefined)[];
  }

  /** Returns the record that a unique index entry points to. */
  async find<Source extends string, Value>(
    reference: IndexReference<Source, EntryDefinition<string, Value>>,
    key: KeyOf<Source>,
  ): Promise<Value | undefined> {
    const indexKey = reference.template.encode(key);
    const stored = await this.#view.get(indexKey);
    if (stored === undefined) return undefined;
    const [row] = await this.#followIndex(reference, [[indexKey, stored]]);
    return row?.value as Value | undefined;
  }

  /**
   * Lists the keys of an index's records, in index order. Does not read the records, so the keys of damaged ones are
   * listed too.
   */
  async keys<Source extends string, Target extends string>(
    reference: IndexReference<Source, EntryDefinition<Target>>,
    leading: LeadingKeyOf<Source>,
  ): Promise<KeyOf<Target>[]> {
    const { index, template, target } = reference as IndexReference<string, EntryDefinition>;
    const bounds = template.range(leading);
    const entries = await this.#view.range({ ...bounds, limit: UNLIMITED, reverse: false });
    return entries.flatMap(([scanned, value]) => {
      const primary = index.primaryKey(scanned, value);
      return primary === undefined ? [] : [target.template.decode(target.template.encode(primary)) as KeyOf<Target>];
    });
  }

  /** Lists all records whose keys start with these values, in key order, up to `limit`. */
  async list<Source extends string, Value>(
    source: Listable<Source, Value>,
    leading: LeadingKeyOf<Source>,
    options: ListOptions = {},
  ): Promise<Value[]> {
    const values: Value[] = [];
    await this.#rows(source, boundsOf(source.template, leading, options), options, ({ value }) =>
      values.push(value as Value),
    );
    return values;
  }

  /** Like `list`, but also returns the key of each record. Accepts an index too. */
  entries<Source extends string, Value>(
    source: EntryDefinition<Source, Value>,
    leading: LeadingKeyOf<Source>,
    options?: ListOptions,
  ): Promise<Found<KeyOf<Source>, Value>[]>;
  entries<Source extends string, Target extends string, Value>(
    source: IndexReference<Source, EntryDefinition<Target, Value>>,
    leading: LeadingKeyOf<Source>,
    options?: ListOptions,
  ): Promise<Found<KeyOf<Target>, Value>[]>;
  async entries(
    source: Listable<string, unknown>,
    leading: Readonly<Record<string, unknown>>,
    options: ListOptions = {},
  ): Promise<Found<unknown, unknown>[]> {
    const { template } = source.type === 'index' ? source.target : source;
    const found: Found<unknown, unknown>[] = [];
    await this.#rows(source, boundsOf(source.template, leading, options), options, ({ key, value }) =>
      found.push({ key: template.decode(key), value }),
    );
    return found;
  }

  /** Returns one page of a list, and a cursor for the next page. */
  async page<Source extends string, Value>(
    source: Listable<Source, Value>,
    leading: LeadingKeyOf<Source>,
    options: PageOptions = {},
  ): Promise<Page<Value>> {
    const limit = options.limit ?? PAGE_LIMIT;
    const bounds = afterCursor(boundsOf(source.template, leading, options), options);
    const { data, next_cursor } = await readPage(
      limit,
      async (count) => {
        const rows: Row[] = [];
        await this.#rows(source, bounds, { ...options, limit: count }, (row) => rows.push(row));
        return rows;
      },
      ({ scanned }) => Buffer.from(scanned).toString('base64url'),
    );
    return { items: data.map(({ value }) => value as Value), cursor: next_cursor ?? undefined };
  }

  /** Calls `take` with each row, in order. */
  async #rows(
    source: Listable<string, unknown>,
    bounds: KeyRange,
    options: ListOptions,
    take: (row: Row) => void,
  ): Promise<void> {
    const wanted = options.limit ?? UNLIMITED;
    const reverse = options.reverse ?? false;
    let taken = 0;
    let { gte, lt } = bounds;
    while (taken < wanted) {
      // Keys in this range that belong to other templates are skipped, so a fetch can yield fewer rows than requested.
      const limit = Math.min(Math.max(wanted - taken, FETCH_MIN), this.#fetchMax);
      const entries = await this.#view.range({ gte, lt, limit, reverse });
      // Reads no more records than needed, because a transaction conflicts with changes to any record it has read.
      for (let start = 0; start < entries.length;) {
        const some = entries.slice(start, start + wanted - taken);
        start += some.length;
        if (source.type === 'index') {
          const found = await this.#followIndex(source, some);
          for (const row of found) take(row);
          taken += found.length;
        } else taken += this.#takeOwn(source, some, take);
        if (taken === wanted) return;
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < limit) return;
      if (reverse) lt = last[0];
      else gte = afterKey(last[0]);
    }
  }

  /** Reads the records of several index entries at once. */
  async #followIndex(reference: IndexReference, entries: readonly Entry[]): Promise<readonly Row[]> {
    const { index, target } = reference as IndexReference<string, EntryDefinition>;
    const targets = entries.flatMap(([scanned, value]) => {
      const primary = index.primaryKey(scanned, value);
      return primary === undefined ? [] : [{ scanned, key: target.template.encode(primary) }];
    });
    const stored = await this.#view.getMany(targets.map(({ key }) => key));
    return targets.flatMap(({ scanned, key }, position) => {
      const value = stored[position] === undefined ? undefined : this.#decode(target, stored[position], key);
      return value === undefined ? [] : [{ scanned, key, value }];
    });
  }

  /** Returns how many rows it took. */
  #takeOwn(source: EntryDefinition, entries: readonly Entry[], take: (row: Row) => void): number {
    let taken = 0;
    for (const [key, stored] of entries) {
      const value = source.template.matches(key) ? this.#decode(source, stored, key) : undefined;
      if (value === undefined) continue;
      take({ scanned: key, key, value });
      taken += 1;
    }
    return taken;
  }

  #decode({ codec }: EntryDefinition, stored: StoredValue, key: string): unknown {
    if (this.#onUnreadable === undefined) return codec.decode(stored, key);
    try {
      return codec.decode(stored, key);
    } catch (error) {
      this.#onUnreadable(key, error);
      return undefined;
    }
  }

  /** An unreadable counter that is left out counts as 0. */
  #counter({ encoding }: CounterDefinition, stored: StoredValue | undefined, key: string): number {
    if (this.#onUnreadable === undefined) return decodeCounter(stored, encoding, key);
    try {
      return decodeCounter(stored, encoding, key);
    } catch (error) {
      this.#onUnreadable(key, error);
      return 0;
    }
  }
}

function boundsOf(
  template: Template,
  leading: Readonly<Record<string, unknown>>,
  { start, end }: ListOptions,
): KeyRange {
  const range = template.range(leading);
  if (start === undefined && end === undefined) return range;
  const placeholder = template.nextPlaceholder(leading);
  if (placeholder === undefined)
    throw keyspaceErrors.KEY_INVALID(`${template.source} has no remaining part to set a bound for`);
  return {
    gte: start === undefined ? range.gte : range.gte + placeholder.encode(start),
    lt: end === undefined ? range.lt : range.gte + placeholder.encode(end),
  };
}

function afterCursor(bounds: KeyRange, { cursor, reverse }: PageOptions): KeyRange {
  if (cursor === undefined) return bounds;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  const isOurs = compareKeys(key, bounds.gte) >= 0 && compareKeys(key, bounds.lt) < 0;
  if (!isOurs) throw keyspaceErrors.CURSOR_INVALID('The cursor does not belong to this list');
  return reverse === true ? { gte: bounds.gte, lt: key } : { gte: afterKey(key), lt: bounds.lt };
}
