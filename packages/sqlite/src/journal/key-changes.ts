import type { StoredValue } from '@holdfast/base';

/**
 * The journal entry of a keyspace commit: which keys changed, from what, to what.
 *
 * A list of our own instead of SQLite's changesets, because it is read far more than written: watchers, `changes`,
 * search indexing and people with the `sqlite3` program all understand it as it stands. It is JSON,
 * `[[key, before, after], …]`, where null is "absent" and raw bytes are `{"hex":"…"}`. Both sides are kept: `before`
 * makes restoring to any commit possible without a base backup, `after` lets a watcher redraw without a read.
 */

export interface KeyChange {
  readonly key: string;
  readonly before: StoredValue | undefined;
  readonly after: StoredValue | undefined;
}

type Encoded = string | null | { readonly hex: string };

export function encodeKeyChanges(changes: readonly KeyChange[]): string {
  const rows: [string, Encoded, Encoded][] = [];
  for (const { key, before, after } of changes) rows.push([key, encode(before), encode(after)]);
  return JSON.stringify(rows);
}

export function decodeKeyChanges(text: string): KeyChange[] {
  const rows = JSON.parse(text) as [string, Encoded, Encoded][];
  return rows.map(([key, before, after]) => ({ key, before: decode(before), after: decode(after) }));
}

function encode(value: StoredValue | undefined): Encoded {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : { hex: Buffer.from(value).toString('hex') };
}

function decode(value: Encoded): StoredValue | undefined {
  if (value === null) return undefined;
  return typeof value === 'string' ? value : new Uint8Array(Buffer.from(value.hex, 'hex'));
}
