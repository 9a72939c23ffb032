import { crc32 } from 'node:zlib';

import { DAY, MEBIBYTE } from '@holdfast/base';

import type { Connection } from '../connection.ts';
import { storeErrors } from '../errors.ts';
import { decodeSections, type RowChange } from './changeset.ts';
import { decodeKeyChanges, type KeyChange } from './key-changes.ts';

/**
 * The journal has one row per commit, written in that commit. `changes`, watching, point-in-time restore and search
 * indexing read it, for keyspaces and tables. Retention is limited by age, number and bytes. The newest entry is never
 * deleted, because the next revision is computed from it.
 */

/** `damaged`: an unreadable entry that a repair has set aside, or an entry that stands for missing entries. */
export type EntryKind = 'keys' | 'changeset' | 'schema' | 'damaged';

export interface JournalEntry {
  readonly revision: number;
  /** Milliseconds since 1970, for display; the revision gives the order. */
  readonly at: number;
  readonly kind: EntryKind;
  /** Description of the commit, for example the name of an operation or `restored to revision 12`. */
  readonly note: string | undefined;
  /** True if the changes are damaged; reading them throws JOURNAL_DAMAGED. */
  readonly isDamaged: boolean;
  /** Decoded on first use, because some followers only need the revision. */
  readonly keys: readonly KeyChange[];
  readonly rows: readonly RowChange[];
  /** The changes, section by section. Within a section, the order is unknown and each row occurs once. */
  readonly sections: readonly (readonly RowChange[])[];
}

export interface Retention {
  readonly ageMs: number;
  readonly revisions: number;
  readonly bytes: number;
}

export const defaultRetention: Retention = {
  ageMs: 7 * DAY,
  revisions: 100_000,
  bytes: 128 * MEBIBYTE,
};

const TRIM_EVERY = 256;
const TRIM_ROWS = 512;

interface StoredEntry {
  readonly revision: number;
  readonly at: number;
  readonly kind: EntryKind;
  /** Null if the stored value is neither text nor bytes, which happens only in a damaged row. */
  readonly changes: string | Uint8Array | null;
  readonly note: string | null;
  readonly checksum: number | null;
}

/**
 * The driver refuses to read an integer above 2^53, which a damaged row may contain. So `at` and `checksum` are read as
 * REAL, and `changes` only if it is text or bytes.
 */
const entryColumns = `revision, CAST(at AS REAL) AS at, kind, note, CAST(checksum AS REAL) AS checksum,
  iif(typeof(changes) IN ('text', 'blob'), changes, NULL) AS changes`;

export function currentRevision(connection: Connection): number {
  const [row] = connection.allArrays<[number | null]>('SELECT max(revision) FROM holdfast_journal');
  return row?.[0] ?? 0;
}

export function oldestRevision(connection: Connection): number {
  const [row] = connection.allArrays<[number | null]>('SELECT min(revision) FROM holdfast_journal');
  return row?.[0] ?? 0;
}

/** Adds an entry and returns the revision of this commit. Call inside a write transaction. */
export function appendEntry(
  connection: Connection,
  entry: { at: number; kind: EntryKind; changes: string | Uint8Array; note?: string | undefined },
): number {
  const result = connection
    .prepare('INSERT INTO holdfast_journal (at, kind, changes, note, checksum) VALUES (?, ?, ?, ?, ?)')
    .run(entry.at, entry.kind, entry.changes, entry.note ?? null, checksumOf(entry.kind, entry.changes));
  return Number(result.lastInsertRowid);
}

/**
 * Returns entries after `since`, oldest first. Throws if some of them have already been trimmed. `exact` returns the
 * integers of rows as bigints.
 */
export function readEntries(connection: Connection, since: number, limit: number, exact = false): JournalEntry[] {
  const rows = connection.all<StoredEntry>(
    `SELECT ${entryColumns} FROM holdfast_journal WHERE revision > ? ORDER BY revision LIMIT ?`,
    since,
    limit,
  );
  // In a damaged file, SQLite can return rows out of order. A reader that continues after the last row would never end.
  if (rows.some(({ revision }, index) => revision <= (rows[index - 1]?.revision ?? since))) {
    throw storeErrors.STORE_CORRUPT(`${connection.path}: the journal is not in order`);
  }
  const first = rows[0];
  if (first !== undefined && first.revision > since + 1 && oldestRevision(connection) === first.revision) {
    throw storeErrors.JOURNAL_TRIMMED(
      `The journal starts at revision ${first.revision}; revision ${since + 1} is no longer in it`,
    );
  }
  // This file never had that revision. The caller followed a different or newer file, and would wait forever.
  if (first === undefined && since > currentRevision(connection)) {
    throw storeErrors.JOURNAL_TRIMMED(`Revision ${since} does not exist; the newest is ${currentRevision(connection)}`);
  }
  return rows.map((row) => toEntry(row, exact));
}

/** Returns entries newest first, with exact values, for undo. */
export function readEntriesBackwards(
  connection: Connection,
  downTo: number,
  before: number,
  limit: number,
): JournalEntry[] {
  const rows = connection.all<StoredEntry>(
    `SELECT ${entryColumns} FROM holdfast_journal WHERE revision > ? AND revision < ? ORDER BY revision DESC LIMIT ?`,
    downTo,
    before,
    limit,
  );
  return rows.map((row) => toEntry(row, true));
}

/** A journal entry as stored. `holdfast move` copies entries in this form. */
export interface RawEntry {
  readonly revision: number;
  readonly at: number;
  readonly kind: EntryKind;
  readonly changes: string;
  readonly note: string | null;
}

/** Returns entries of a keyspace after `since` as they are stored. Omits the unreadable changes of a damaged entry. */
export function rawEntries(connection: Connection, since: number, limit: number): RawEntry[] {
  const rows = connection.all<StoredEntry>(
    `SELECT ${entryColumns} FROM holdfast_journal WHERE revision > ? ORDER BY revision LIMIT ?`,
    since,
    limit,
  );
  return rows.map((row) => {
    const { revision, note } = row;
    const at = Math.abs(row.at) <= LAST_TIME ? row.at : 0;
    if (isIntact(row) && typeof row.changes === 'string') {
      return { revision, at, kind: row.kind, changes: row.changes, note };
    }
    return { revision, at, kind: 'damaged', changes: '', note };
  });
}

/** Writes entries that `rawEntries` returned. */
export function putRawEntries(connection: Connection, entries: readonly RawEntry[]): void {
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO holdfast_journal (revision, at, kind, changes, note, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { revision, at, kind, changes, note } of entries) {
    insert.run(revision, at, kind, changes, note, checksumOf(kind, changes));
  }
}

/** Returns the last revision that was committed at or before a time. */
export function revisionAt(connection: Connection, at: number): number | undefined {
  const row = connection.get<{ revision: number | null }>(
    'SELECT max(revision) AS revision FROM holdfast_journal WHERE at <= ?',
    at,
  );
  return row?.revision ?? undefined;
}

/**
 * Runs in the write transaction of every `TRIM_EVERY`-th revision, in whichever process writes that revision, so that
 * short-lived commands trim too.
 */
export function trimJournal(connection: Connection, revision: number, retention: Retention, now: number): void {
  if (revision % TRIM_EVERY !== 0) return;
  recordSize(connection, revision);
  const limits = { ...retention, horizon: byteHorizon(connection, retention.bytes) };
  if (!isExpired(oldestEntry(connection), revision, limits, now)) return;
  const oldest = connection.all<Age>(
    'SELECT revision, CAST(at AS REAL) AS at FROM holdfast_journal ORDER BY revision LIMIT ?',
    TRIM_ROWS,
  );
  const kept = oldest.find((entry) => !isExpired(entry, revision, limits, now)) ?? oldest.at(-1);
  connection.run('DELETE FROM holdfast_journal WHERE revision < ?', kept?.revision ?? 0);
  connection.run('DELETE FROM holdfast_journal_size WHERE last_revision < ?', kept?.revision ?? 0);
}

/** Stores the total size in bytes of all entries since the last call. */
function recordSize(connection: Connection, revision: number): void {
  connection.run(
    `INSERT OR REPLACE INTO holdfast_journal_size (last_revision, bytes)
     SELECT ?1, coalesce(sum(octet_length(changes)), 0) FROM holdfast_journal
     WHERE revision > coalesce((SELECT max(last_revision) FROM holdfast_journal_size WHERE last_revision < ?1), 0)`,
    revision,
  );
}

/**
 * Returns the revision up to which entries must be deleted to stay below the limit. A block is a row of
 * `holdfast_journal_size`; the entries of the newest block are always kept.
 */
function byteHorizon(connection: Connection, limit: number): number {
  const blocks = connection.all<{ last_revision: number; bytes: number }>(
    `SELECT CAST(last_revision AS REAL) AS last_revision, CAST(bytes AS REAL) AS bytes
     FROM holdfast_journal_size ORDER BY last_revision DESC`,
  );
  let total = 0;
  for (const [index, block] of blocks.entries()) {
    total += block.bytes;
    if (index > 0 && total > limit) return block.last_revision;
  }
  return 0;
}

interface Limits extends Retention {
  readonly horizon: number;
}

interface Age {
  readonly revision: number;
  readonly at: number;
}

function oldestEntry(connection: Connection): Age | undefined {
  return connection.get<Age>('SELECT revision, CAST(at AS REAL) AS at FROM holdfast_journal ORDER BY revision LIMIT 1');
}

/** The newest entry never expires. */
function isExpired(entry: Age | undefined, newest: number, limits: Limits, now: number): boolean {
  if (entry === undefined || entry.revision === newest) return false;
  if (entry.revision <= newest - limits.revisions || entry.revision <= limits.horizon) return true;
  return entry.at < now - limits.ageMs;
}

const changeKinds: ReadonlySet<EntryKind> = new Set<EntryKind>(['keys', 'changeset', 'schema']);
const LAST_TIME = 8.64e15;

function checksumOf(kind: EntryKind, changes: string | Uint8Array): number {
  return crc32(changes, crc32(kind));
}

function isIntact({ kind, changes, checksum }: StoredEntry): boolean {
  if (!changeKinds.has(kind) || changes === null) return false;
  return checksum === null || checksum === checksumOf(kind, changes);
}

function toEntry(row: StoredEntry, exact: boolean): JournalEntry {
  let keys: readonly KeyChange[] | undefined;
  let sections: readonly (readonly RowChange[])[] | undefined;
  const decoded = <T>(kind: EntryKind, decode: () => readonly T[]): readonly T[] => {
    try {
      if (!isIntact(row)) throw new TypeError('The checksum of the entry is wrong');
      return row.kind === kind ? decode() : [];
    } catch (error) {
      throw storeErrors.JOURNAL_DAMAGED(`The journal entry of revision ${row.revision} cannot be read`, {
        cause: error,
      });
    }
  };
  return {
    revision: row.revision,
    at: Math.abs(row.at) <= LAST_TIME ? row.at : 0,
    kind: row.kind,
    note: row.note ?? undefined,
    get isDamaged() {
      try {
        return this.keys.length < 0 || this.sections.length < 0;
      } catch {
        return true;
      }
    },
    get keys() {
      keys ??= decoded('keys', () => decodeKeyChanges(row.changes as string));
      return keys;
    },
    get rows() {
      return this.sections.flat();
    },
    get sections() {
      sections ??= decoded('changeset', () => decodeSections(row.changes as Uint8Array, exact));
      return sections;
    },
  };
}
