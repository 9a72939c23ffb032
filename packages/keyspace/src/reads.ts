import { readPage, type StoredValue } from '@holdfast/base';

import type { Entry, Maybe, RangeRequest } from './storage-engine.ts';
import { keyspaceErrors } from './errors.ts';
import { afterKey, compareKeys } from './keys/order.ts';
import type { KeyRange, Template } from './keys/template.ts';
import type { KeyOf, LeadingKeyOf } from './keys/types.ts';
import type { CounterDefinition, EntryDefinition, IndexReference } from './schema/record-definitions.ts';
import { decodeCounter } from './schema/value-codec.ts';

/** Source of reads: the latest state, a snapshot, or a transaction with its own writes. */
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
  /** Bounds of the first placeholder without a value: from `start` (included) to `end` (excluded). */
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
  /** The key that was scanned: that of the record or of the index entry. */
  readonly scanned: string;
  readonly key: string;
  readonly value: unknown;
}

/** Called with the key of a value that cannot be decoded and is left out of the answer. */
export type OnUnreadable = (key: string, error: unknown) => void;

export class Reads {
  readonly #view: View;
  readonly #onUnreadable: OnUnreadable | undefined;

  /** Without `onUnreadable`, reading an unreadable value throws. */
  constructor(view: View, onUnreadable?: OnUnreadable) {
    this.#view = view;
    this.#onUnreadable = onUnreadable;
  }

  get<Source extends string>(definition: CounterDefinition<Source>, key: KeyOf<Source>): Promise<number>;
  get<Source extends string, Value>(
    definition: EntryDefinition<Source, Value>,
    key: KeyOf<Source>,
  ): Promise<Value | undefined>;
  async get(definition: EntryDefinition | CounterDefinition, key: Readonly<Record<string, unknown>>): Promise<unknown> {
    const encoded = definition.template.encode(key);
    const stored = await this.#view.get(encoded);
    if (definition.type === 'counter') return decodeCounter(stored, definition.encoding);
    return stored === undefined ? undefined : this.#decode(definition, stored, encoded);
  }

  /** Returns one value per key, in order; undefined where there is none. */
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

  /** Returns the record of a unique index entry. */
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

  /** Lists all records whose keys start with these values, in key order, up to `limit`. */
  async list<Source extends string, Value>(
    source: Listable<Source, Value>,
    leading: LeadingKeyOf<Source>,
    options: ListOptions = {},
  ): Promise<Value[]> {
    const rows = await this.#rows(source, boundsOf(source.template, leading, options), options);
    return rows.map(({ value }) => value as Value);
  }

  /** Like `list`, with the key of each record. Accepts an index too. */
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
    const rows = await this.#rows(source, boundsOf(source.template, leading, options), options);
    return rows.map(({ key, value }) => ({ key: template.decode(key), value }));
  }

  /** Returns one page of a list, and a cursor for the next. */
  async page<Source extends string, Value>(
    source: Listable<Source, Value>,
    leading: LeadingKeyOf<Source>,
    options: PageOptions = {},
  ): Promise<Page<Value>> {
    const limit = options.limit ?? PAGE_LIMIT;
    const bounds = afterCursor(boundsOf(source.template, leading, options), options);
    const { data, next_cursor } = await readPage(
      limit,
      (count) => this.#rows(source, bounds, { ...options, limit: count }),
      ({ scanned }) => Buffer.from(scanned).toString('base64url'),
    );
    return { items: data.map(({ value }) => value as Value), cursor: next_cursor ?? undefined };
  }

  async #rows(source: Listable<string, unknown>, bounds: KeyRange, options: ListOptions): Promise<Row[]> {
    const wanted = options.limit ?? UNLIMITED;
    const reverse = options.reverse ?? false;
    const rows: Row[] = [];
    let { gte, lt } = bounds;
    while (rows.length < wanted) {
      // Keys of other templates in this range are skipped, so a fetch can yield fewer rows than requested.
      const limit = wanted === UNLIMITED ? UNLIMITED : Math.max(wanted - rows.length, FETCH_MIN);
      const entries = await this.#view.range({ gte, lt, limit, reverse });
      // Fetches no more than needed, because the transaction conflicts with changes to everything it reads.
      for (let start = 0; start < entries.length;) {
        const some = entries.slice(start, start + wanted - rows.length);
        start += some.length;
        const found = source.type === 'index' ? await this.#followIndex(source, some) : this.#ownRows(source, some);
        for (const row of found) rows.push(row);
        if (rows.length === wanted) return rows;
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < limit) return rows;
      if (reverse) lt = last[0];
      else gte = afterKey(last[0]);
    }
    return rows;
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

  #ownRows(source: EntryDefinition, entries: readonly Entry[]): readonly Row[] {
    return entries.flatMap(([key, stored]) => {
      const value = source.template.matches(key) ? this.#decode(source, stored, key) : undefined;
      return value === undefined ? [] : [{ scanned: key, key, value }];
    });
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
