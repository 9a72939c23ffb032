import { createHash } from 'node:crypto';

import type { PendingRow } from '../model/git/pending-row.ts';

/**
 * Identifies the rows of a commit by their numbers, as ranges, and a digest of their content. Finds a commit that was
 * made but not recorded, and does not match rows of another database with the same numbers.
 */
export function batchId(rows: readonly PendingRow[]): string {
  return `${toRanges(rows.map(({ id }) => id))}@${digest(rows)}`;
}

/** Rows that a batch id names, if they are unchanged; undefined otherwise. */
export function rowsOfBatch(id: string, pending: readonly PendingRow[]): readonly PendingRow[] | undefined {
  const [ranges = '', expected] = id.split('@');
  const wanted = parseRanges(ranges);
  if (wanted === undefined) return undefined;
  const rows = pending.filter((row) => wanted.some(([first, last]) => row.id >= first && row.id <= last));
  return rows.length > 0 && digest(rows) === expected ? rows : undefined;
}

function digest(rows: readonly PendingRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) {
    hash.update(JSON.stringify([row.id, row.kind, row.path, row.fromPath, row.hash, row.eventId, row.author, row.at]));
  }
  return hash.digest('hex').slice(0, 24);
}

function toRanges(ids: readonly number[]): string {
  const ranges: string[] = [];
  let first: number | undefined;
  for (const [index, id] of ids.entries()) {
    first ??= id;
    if (ids[index + 1] === id + 1) continue;
    ranges.push(first === id ? `${id}` : `${first}-${id}`);
    first = undefined;
  }
  return ranges.join(',');
}

function parseRanges(text: string): (readonly [number, number])[] | undefined {
  const ranges: (readonly [number, number])[] = [];
  for (const part of text.split(',')) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return undefined;
    ranges.push([Number(first), Number(last ?? first)]);
  }
  return ranges;
}
