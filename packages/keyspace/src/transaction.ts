import type { StoredValue } from '@holdfast/base';

import type {
  Addition,
  Append,
  CommitRequest,
  EngineSnapshot,
  Entry,
  Maybe,
  RangeRead,
  RangeRequest,
} from './storage-engine.ts';
import { keyspaceErrors } from './errors.ts';
import { compareKeys } from './keys/order.ts';
import type { KeyRange } from './keys/template.ts';
import type { KeyOf } from './keys/types.ts';
import { Reads, type View } from './reads.ts';
import type {
  CounterDefinition,
  EntryDefinition,
  LogDefinition,
  RecordDefinition,
} from './schema/record-definitions.ts';
import type { IndexDefinition } from './schema/index-definition.ts';
import { decodeCounter } from './schema/value-codec.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * One attempt at a transaction: reads from a snapshot, records its reads and collects its writes. Nothing is locked
 * while it runs. If anything that it read has changed by the time it commits, the transaction runs again.
 *
 * It sees its own puts and deletes. Appends and additions take effect at commit and are not visible before that.
 */
export class Transaction extends Reads {
  readonly #view: RecordingView;
  readonly #appends: Append[] = [];
  readonly #additions: Addition[] = [];

  constructor(openSnapshot: () => Maybe<EngineSnapshot>) {
    const view = new RecordingView(openSnapshot);
    super(view);
    this.#view = view;
  }

  /**
   * Creates or replaces a record and updates its index entries. For a log, writes an entry with a given number, as an
   * import does, and does not change the counter. To add new log entries, use `append`.
   */
  async put<Source extends string, Value>(
    definition: EntryDefinition<Source, Value>,
    key: KeyOf<Source>,
    value: Value,
  ): Promise<void> {
    const encoded = definition.template.encode(key);
    const stored = definition.codec.encode(value, encoded);
    if (definition.indexes.length > 0) await this.#moveIndexes(definition, key, encoded, value);
    this.#view.write(encoded, stored);
  }

  /** Creates a record. Throws RECORD_EXISTS if the key is taken. */
  async insert<Source extends string, Value>(
    definition: RecordDefinition<Source, Value>,
    key: KeyOf<Source>,
    value: Value,
  ): Promise<void> {
    const encoded = definition.template.encode(key);
    if ((await this.#view.get(encoded)) !== undefined) throw keyspaceErrors.RECORD_EXISTS(`${encoded} already exists`);
    await this.put(definition, key, value);
  }

  /** Changes an existing record. Returns the new value; undefined if there is no such record. */
  async update<Source extends string, Value>(
    definition: RecordDefinition<Source, Value>,
    key: KeyOf<Source>,
    change: (value: Value) => Value,
  ): Promise<Value | undefined> {
    const current = await this.get(definition, key);
    if (current === undefined) return undefined;
    const changed = change(current);
    await this.put(definition, key, changed);
    return changed;
  }

  /** Removes a record or log entry with its index entries. Returns whether it existed. */
  async delete<Source extends string, Value>(
    definition: EntryDefinition<Source, Value>,
    key: KeyOf<Source>,
  ): Promise<boolean> {
    const encoded = definition.template.encode(key);
    const stored = await this.#view.get(encoded);
    if (stored === undefined) return false;
    if (definition.indexes.length > 0) await this.#moveIndexes(definition, key, encoded, undefined);
    this.#view.write(encoded, undefined);
    return true;
  }

  /**
   * Adds an entry to a log. Its number is assigned at commit, so appending writers do not conflict; `build` gets the
   * number and may be called again on a retry.
   */
  append<Source extends string, Value>(
    definition: LogDefinition<Source, Value>,
    key: Omit<KeyOf<Source>, LastPlaceholder>,
    build: (sequence: number) => Value,
  ): void {
    const fields = key as Fields;
    const numberPlaceholder = definition.template.placeholderNames.at(-1) as string;
    this.#appends.push({
      counterKey: definition.counter.template.encode(fields),
      encoding: definition.counter.encoding,
      counterHolds: definition.counterHolds,
      build: (sequence) => {
        const full = { ...fields, [numberPlaceholder]: sequence };
        const encoded = definition.template.encode(full);
        const value = build(sequence);
        const entries: Entry[] = [[encoded, definition.codec.encode(value, encoded)]];
        for (const index of definition.indexes) entries.push(...index.entries(value, full));
        return entries;
      },
    });
  }

  /**
   * Returns the number of the next append. From then on, every append to the log by another writer makes this
   * transaction run again.
   */
  async next<Source extends string, Value>(
    definition: LogDefinition<Source, Value>,
    key: Omit<KeyOf<Source>, LastPlaceholder>,
  ): Promise<number> {
    const { counter, counterHolds } = definition;
    const counterKey = counter.template.encode(key);
    const held = await this.#view.get(counterKey);
    const pending = this.#appends.filter((append) => append.counterKey === counterKey).length;
    const first =
      held === undefined ? 1 : decodeCounter(held, counter.encoding, counterKey) + (counterHolds === 'last' ? 1 : 0);
    return first + pending;
  }

  add<Source extends string>(definition: CounterDefinition<Source>, key: KeyOf<Source>, amount: number): void {
    const encoded = definition.template.encode(key);
    this.#additions.push({ key: encoded, encoding: definition.encoding, amount });
  }

  /** Returns the stored value of a key, for migrations and repair. */
  async readKey(key: string): Promise<StoredValue | undefined> {
    return this.#view.get(key);
  }

  /** Writes or removes a stored value without updating indexes, for migrations and repair. */
  writeKey(key: string, value: StoredValue | undefined): void {
    this.#view.write(key, value);
  }

  /** Returns stored keys and values, for migrations and repair. */
  async readRange(range: RangeRequest): Promise<readonly Entry[]> {
    return this.#view.range(range);
  }

  request(): CommitRequest {
    return { ...this.#view.request(), appends: this.#appends, additions: this.#additions };
  }

  get changesNothing(): boolean {
    return this.#appends.length === 0 && this.#additions.length === 0 && !this.#view.hasWrites;
  }

  release(): void {
    this.#view.release();
  }

  async #moveIndexes<Value>(
    definition: EntryDefinition<string, Value>,
    key: Fields,
    encoded: string,
    value: Value | undefined,
  ): Promise<void> {
    const stored = await this.#view.get(encoded);
    const old = stored === undefined ? undefined : definition.codec.decode(stored, encoded);
    for (const index of definition.indexes) {
      const before = old === undefined ? [] : index.entries(old, key);
      const after = new Map(value === undefined ? [] : index.entries(value, key));
      for (const [indexKey] of before) if (!after.has(indexKey)) this.#view.write(indexKey, undefined);
      const owned = new Set(before.map(([indexKey]) => indexKey));
      for (const [indexKey, target] of after) {
        if (index.unique && !owned.has(indexKey)) await this.#refuseTaken(index, indexKey);
        if (owned.has(indexKey)) this.#view.write(indexKey, target);
        else this.#view.writeNew(indexKey, target);
      }
    }
  }

  async #refuseTaken(index: IndexDefinition, indexKey: string): Promise<void> {
    if ((await this.#view.get(indexKey)) === undefined) return;
    throw keyspaceErrors.UNIQUE_TAKEN(`Another record already has ${indexKey} (index ${index.name})`);
  }
}

/** Name of the placeholder for the log number. Callers do not pass it, because the number is assigned at commit. */
type LastPlaceholder = 'seq';

/**
 * Opens a snapshot at the first read, records all reads, and shows the transaction's own writes on top of the snapshot.
 */
class RecordingView implements View {
  readonly #openSnapshot: () => Maybe<EngineSnapshot>;
  readonly #reads = new Map<string, StoredValue | undefined>();
  readonly #ranges: RangeRead[] = [];
  readonly #writes = new WrittenKeys<StoredValue | undefined>();
  readonly #expectedNew = new Set<string>();
  #snapshot: Maybe<EngineSnapshot> | undefined;
  #base: number | undefined;

  constructor(openSnapshot: () => Maybe<EngineSnapshot>) {
    this.#openSnapshot = openSnapshot;
  }

  get hasWrites(): boolean {
    return this.#writes.size > 0;
  }

  async get(key: string): Promise<StoredValue | undefined> {
    if (this.#writes.has(key)) return this.#writes.get(key);
    if (this.#reads.has(key)) return this.#reads.get(key);
    const value = await this.#read((snapshot) => snapshot.get(key));
    this.#reads.set(key, value);
    return value;
  }

  async getMany(keys: readonly string[]): Promise<readonly (StoredValue | undefined)[]> {
    const unread = keys.filter((key) => !this.#writes.has(key) && !this.#reads.has(key));
    if (unread.length > 0) {
      const values = await this.#read((snapshot) => snapshot.getMany(unread));
      for (const [index, key] of unread.entries()) this.#reads.set(key, values[index]);
    }
    return keys.map((key) => (this.#writes.has(key) ? this.#writes.get(key) : this.#reads.get(key)));
  }

  async range(range: RangeRequest): Promise<readonly Entry[]> {
    const own = this.#writes.inside(range);
    // Each own write can hide one stored entry, so this fetches that many more entries to fill the limit.
    const widened = { ...range, limit: range.limit + own.length };
    const entries = await this.#read((snapshot) => snapshot.range(widened));
    this.#ranges.push({ range: widened, entries });
    return own.length === 0 ? entries : overlay(entries, own, range);
  }

  write(key: string, value: StoredValue | undefined): void {
    this.#expectedNew.delete(key);
    this.#writes.set(key, value);
  }

  /** Writes a key that the store normally does not contain. */
  writeNew(key: string, value: StoredValue): void {
    if (!this.#writes.has(key)) this.#expectedNew.add(key);
    this.#writes.set(key, value);
  }

  request(): Pick<CommitRequest, 'base' | 'reads' | 'ranges' | 'writes' | 'expectedNew'> {
    return {
      base: this.#base,
      reads: this.#reads,
      ranges: this.#ranges,
      writes: this.#writes,
      expectedNew: this.#expectedNew,
    };
  }

  release(): void {
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    // If the snapshot failed to open, the read that opened it has already reported the error.
    if (snapshot instanceof Promise) snapshot.then((opened) => opened.release()).catch(() => undefined);
    else snapshot?.release();
  }

  async #read<T>(read: (snapshot: EngineSnapshot) => Maybe<T>): Promise<T> {
    this.#snapshot ??= this.#openSnapshot();
    const snapshot = await this.#snapshot;
    const value = await read(snapshot);
    this.#base ??= await snapshot.revision();
    return value;
  }
}

function overlay(
  entries: readonly Entry[],
  own: readonly (readonly [string, StoredValue | undefined])[],
  { reverse, limit }: RangeRequest,
): Entry[] {
  const merged = new Map<string, StoredValue | undefined>([...entries, ...own]);
  const direction = reverse ? -1 : 1;
  return [...merged]
    .filter((entry): entry is [string, StoredValue] => entry[1] !== undefined)
    .sort(([left], [right]) => direction * compareKeys(left, right))
    .slice(0, limit);
}

/**
 * The writes of a transaction by key. They are sorted at the first range read and stay sorted from then on, so mixing
 * thousands of writes with range reads stays fast.
 */
export class WrittenKeys<Value> extends Map<string, Value> {
  #sorted: string[] | undefined;

  override set(key: string, value: Value): this {
    if (this.#sorted !== undefined && !this.has(key)) this.#sorted.splice(this.#position(key), 0, key);
    return super.set(key, value);
  }

  /** Returns the entries inside a range, in order. */
  inside({ gte, lt }: KeyRange): (readonly [string, Value])[] {
    if (this.size === 0) return [];
    this.#sorted ??= [...this.keys()].sort(compareKeys);
    const keys = this.#sorted.slice(this.#position(gte), this.#position(lt));
    return keys.map((key) => [key, this.get(key) as Value] as const);
  }

  /** Returns the number of keys below this one. */
  #position(key: string): number {
    const sorted = this.#sorted ?? [];
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(sorted[middle] as string, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
