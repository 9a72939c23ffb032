import type { StoredValue } from '@holdfast/base';
import { compareKeys, type EngineSnapshot, type Entry, type RangeRequest } from '@holdfast/keyspace';
import { decodeKeyChanges, storeErrors } from '@holdfast/sqlite';

import { overlay } from './batch.ts';
import type { Servers, Slot } from './servers.ts';

/**
 * Reads from one space. Every statement also returns the revision that it saw. A snapshot holds no transaction open: it
 * reads the current state, and uses the journal to undo everything committed since its first read. So a body that runs
 * for minutes holds no connection, and old rows can be cleaned up.
 */

export type StoredRow = [head: number, key: string | null, text: string | null, bytes: Uint8Array | null];

/**
 * Looks up each key by itself. For `key = ANY ($2)`, PostgreSQL may plan to read the whole space while it has no
 * statistics of the table, and keeps this plan while the table grows.
 */
export const keysStatement = `SELECT s.revision::float8, k.key, k.text, k.bytes FROM holdfast_space s LEFT JOIN (
    unnest($2::text[]) AS wanted (key) CROSS JOIN LATERAL (
      SELECT key, text, bytes FROM holdfast_key WHERE space = $1 AND key = wanted.key LIMIT 1) k) ON true
  WHERE s.id = $1`;

export function rangeStatement(reverse: boolean): string {
  return `SELECT s.revision::float8, k.key, k.text, k.bytes FROM holdfast_space s LEFT JOIN LATERAL (
    SELECT key, text, bytes FROM holdfast_key WHERE space = s.id AND key >= $2 AND key < $3
    ORDER BY key ${reverse ? 'DESC' : 'ASC'} LIMIT $4) k ON true WHERE s.id = $1`;
}

export function toStored([, , text, bytes]: StoredRow): StoredValue {
  if (text !== null) return text;
  return new Uint8Array(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength);
}

/** Returns whether PostgreSQL can store the key. Other keys need no lookup, because the store cannot contain them. */
export function isStorable(key: string): boolean {
  return !key.includes('\0') && key.isWellFormed();
}

/**
 * Replaces a character that PostgreSQL rejects. The new bound divides the keys in the same way, because no key contains
 * that character.
 */
function storableBound(bound: string): string {
  const at = bound.search(/[\0\p{Surrogate}]/u);
  if (at === -1) return bound;
  return bound.slice(0, at) + (bound[at] === '\0' ? '\u0001' : '\ue000');
}

export function rangeValues(space: number, { gte, lt, limit }: RangeRequest): unknown[] {
  return [space, storableBound(gte), storableBound(lt), limit];
}

interface Seen<T> {
  readonly head: number;
  readonly found: T;
}

type Values = ReadonlyMap<string, StoredValue>;

/** The keys requested in one turn of the event loop. */
interface Question {
  readonly keys: Set<string>;
  readonly answer: Promise<Seen<Values>>;
}

export class Reader {
  readonly #servers: Servers;
  readonly #slots: readonly Slot[];
  readonly #space: number;
  #question: Question | undefined;

  constructor(servers: Servers, slots: readonly Slot[], space: number) {
    this.#servers = servers;
    this.#slots = slots;
    this.#space = space;
  }

  async getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    if (keys.length === 0) return [];
    const { found } = await this.#see(keys);
    return keys.map((key) => found.get(key));
  }

  async range(range: RangeRequest): Promise<readonly Entry[]> {
    return (await this.#seeRange(range)).found;
  }

  async revision(): Promise<number> {
    return (await this.#see([])).head;
  }

  rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#servers.patiently(() => leastBusy(this.#slots).rowsOnce<Row>(text, values));
  }

  snapshot(): EngineSnapshot {
    if (this.#servers.isClosed) throw this.#servers.closedError();
    const undo = new Undo((since, upTo) => this.#changesBetween(since, upTo));
    const getMany = async (keys: readonly string[]): Promise<(StoredValue | undefined)[]> => {
      if (keys.length === 0) return [];
      const { found } = await undo.covering(() => this.#see(keys));
      return keys.map((key) => (undo.values.has(key) ? undo.values.get(key) : found.get(key)));
    };
    return {
      revision: async () => {
        if (undo.revision === undefined) await undo.covering(() => this.#see([]));
        return undo.revision!;
      },
      get: async (key) => (await getMany([key]))[0],
      getMany,
      range: async (range) => {
        for (let limit = range.limit; ;) {
          const wanted = { ...range, limit };
          const { found } = await undo.covering(() => this.#seeRange(wanted));
          const past = overlay(found, undo.values, wanted);
          // Each undone change may remove an entry from the result, so this may read more entries than the limit.
          const enough = Math.min(2 ** 31 - 1, range.limit + undo.countInside(range));
          if (found.length < limit || limit >= enough) return past.slice(0, range.limit);
          limit = enough;
        }
      },
      release: () => undefined,
    };
  }

  #see(keys: readonly string[]): Promise<Seen<Values>> {
    if (this.#servers.isClosed) return Promise.reject(this.#servers.closedError());
    this.#question ??= this.#ask();
    for (const key of keys) if (isStorable(key)) this.#question.keys.add(key);
    return this.#question.answer;
  }

  #ask(): Question {
    const keys = new Set<string>();
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      this.#question = undefined;
      const rows = await this.rows<StoredRow>(keysStatement, [this.#space, [...keys]]);
      const found = new Map<string, StoredValue>();
      for (const row of rows) if (row[1] !== null) found.set(row[1], toStored(row));
      return { head: this.#headOf(rows), found };
    });
    return { keys, answer };
  }

  async #seeRange(range: RangeRequest): Promise<Seen<readonly Entry[]>> {
    const rows = await this.rows<StoredRow>(rangeStatement(range.reverse), rangeValues(this.#space, range));
    return {
      head: this.#headOf(rows),
      found: rows.flatMap((row) => (row[1] === null ? [] : [[row[1], toStored(row)]])),
    };
  }

  #headOf(rows: readonly StoredRow[]): number {
    const [row] = rows;
    if (row === undefined)
      throw storeErrors.STORE_NOT_FOUND(`${this.#servers.address.shown}: the keyspace was removed`);
    return row[0];
  }

  async #changesBetween(since: number, upTo: number): Promise<readonly string[]> {
    const rows = await this.rows<[string]>(
      `SELECT changes FROM holdfast_journal WHERE space = $1 AND revision > $2 AND revision <= $3 ORDER BY revision`,
      [this.#space, since, upTo],
    );
    if (rows.length === upTo - since) return rows.map(([changes]) => changes);
    throw storeErrors.JOURNAL_TRIMMED(`The journal no longer has everything since revision ${since}`);
  }
}

function leastBusy(slots: readonly Slot[]): Slot {
  return slots.reduce((best, slot) => (slot.pending < best.pending ? slot : best));
}

/** Values at a snapshot's revision, for all keys that have changed since then. */
class Undo {
  readonly values = new Map<string, StoredValue | undefined>();
  readonly #changesBetween: (since: number, upTo: number) => Promise<readonly string[]>;
  revision: number | undefined;
  #upTo = 0;
  #reaching: Promise<void> = Promise.resolve();

  constructor(changesBetween: (since: number, upTo: number) => Promise<readonly string[]>) {
    this.#changesBetween = changesBetween;
  }

  /**
   * Reads the current state, and loads the changes up to its revision. The first answer sets the revision of the
   * snapshot.
   */
  async covering<T extends { readonly head: number }>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      const seen = await read();
      this.revision ??= this.#upTo = seen.head;
      // If two first reads run at once, the second answer may have an older revision; that read is then repeated.
      if (seen.head < this.revision) continue;
      if (seen.head > this.#upTo) {
        const next = this.#reaching.then(() => this.#extend(seen.head));
        this.#reaching = next.catch(() => undefined);
        await next;
      }
      return seen;
    }
  }

  countInside({ gte, lt }: RangeRequest): number {
    let count = 0;
    for (const key of this.values.keys()) if (compareKeys(key, gte) >= 0 && compareKeys(key, lt) < 0) count += 1;
    return count;
  }

  async #extend(head: number): Promise<void> {
    if (head <= this.#upTo) return;
    for (const changes of await this.#changesBetween(this.#upTo, head)) {
      for (const { key, before } of decodeKeyChanges(changes)) if (!this.values.has(key)) this.values.set(key, before);
    }
    this.#upTo = head;
  }
}
