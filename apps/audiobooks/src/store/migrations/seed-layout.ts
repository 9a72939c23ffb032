import { afterKey, Template, type Transaction } from '@holdfast/keyspace';

/** Reads the design document's original layout: raw keys and JSON. */

type SeedValue = Record<string, unknown>;

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export interface SeedRecord {
  readonly key: string;
  readonly id: string;
  readonly value: SeedValue;
}

export interface SeedPage {
  readonly records: readonly SeedRecord[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Reads records whose key is the prefix and one ULID. This excludes `b:duration_map:…` and `op:…:next_seq`, which share
 * the prefixes of books and operations.
 */
export async function seedRecords(
  tx: Transaction,
  prefix: string,
  place: string | undefined,
  limit: number,
): Promise<SeedPage> {
  const { gte, lt } = new Template(`${prefix}{id}`).range({});
  const entries = await tx.readRange({ gte: place ?? gte, lt, limit, reverse: false });
  const records = entries.flatMap(([key, stored]) => {
    const id = key.slice(prefix.length);
    return ULID.test(id) && typeof stored === 'string' ? [{ key, id, value: JSON.parse(stored) as SeedValue }] : [];
  });
  const last = entries.at(-1);
  return { records, next: last === undefined || entries.length < limit ? undefined : afterKey(last[0]) };
}
