import type { StoredValue } from '@holdfast/base';

/**
 * The journal entry of a keyspace commit: keys with values before and after.
 *
 * The entry is JSON instead of an SQLite changeset, because watchers, `changes`, search indexing and the `sqlite3`
 * program read it directly: `[[key, before, after], …]`, where null is "absent" and raw bytes are `{"hex":"…"}`.
 * `before` allows restoring any commit without a base backup; `after` lets watchers redraw without a read. A long text
 * with a small change is `{"splice":[start, deleted, "inserted"]}` relative to `before`, so adding an id to a list of
 * ten thousand does not store the list twice.
 */

export interface KeyChange {
  readonly key: string;
  readonly before: StoredValue | undefined;
  readonly after: StoredValue | undefined;
}

type Encoded = string | null | { readonly hex: string };
type EncodedAfter = Encoded | { readonly splice: readonly [start: number, deleted: number, inserted: string] };

const SPLICE_FROM = 512;

export function encodeKeyChanges(changes: readonly KeyChange[]): string {
  const rows: [string, Encoded, EncodedAfter][] = [];
  for (const { key, before, after } of changes) rows.push([key, encode(before), encodeAfter(before, after)]);
  return JSON.stringify(rows);
}

export function decodeKeyChanges(text: string): KeyChange[] {
  const rows = JSON.parse(text) as [string, Encoded, EncodedAfter][];
  return rows.map(([key, before, after]) => {
    if (typeof key !== 'string') throw new TypeError('A change has no key');
    return { key, before: decode(before), after: decodeAfter(before, after) };
  });
}

function encodeAfter(before: StoredValue | undefined, after: StoredValue | undefined): EncodedAfter {
  const isLong = typeof before === 'string' && typeof after === 'string' && after.length >= SPLICE_FROM;
  if (!isLong) return encode(after);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  const inserted = after.slice(start, after.length - end);
  return inserted.length > after.length / 2 ? after : { splice: [start, before.length - start - end, inserted] };
}

function decodeAfter(before: Encoded, after: EncodedAfter): StoredValue | undefined {
  if (after === null || typeof after === 'string' || 'hex' in after) return decode(after);
  const [start, deleted, inserted] = after.splice;
  const text = before as string;
  return text.slice(0, start) + inserted + text.slice(start + deleted);
}

function encode(value: StoredValue | undefined): Encoded {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : { hex: Buffer.from(value).toString('hex') };
}

function decode(value: Encoded): StoredValue | undefined {
  if (value === null) return undefined;
  return typeof value === 'string' ? value : new Uint8Array(Buffer.from(value.hex, 'hex'));
}
