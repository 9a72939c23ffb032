import type { StoredValue } from '@holdfast/base';
import {
  type CommitOutcome,
  type CommitRequest,
  compareKeys,
  type Entry,
  type RangeRequest,
  resolveCommit,
} from '@holdfast/keyspace';
import { encodeKeyChanges } from '@holdfast/sqlite';

/**
 * `planBatch` computes the effect of a batch of commits on the state at revision `known`. It is pure: if it needs more
 * keys or ranges, it returns them; the caller fetches them and calls `planBatch` again.
 */

export type Result = { readonly outcome: CommitOutcome } | { readonly error: unknown };

export interface Plan {
  readonly results: readonly Result[];
  readonly journal: readonly string[];
  readonly notes: readonly (string | null)[];
  /** The value of each changed key after the batch; undefined if it is deleted. */
  readonly finals: ReadonlyMap<string, StoredValue | undefined>;
  /**
   * Keys that do not exist before the batch. New log and index entries are among them without a lookup: their insertion
   * fails if they exist.
   */
  readonly fresh: ReadonlySet<string>;
}

export interface Missing {
  readonly keys: ReadonlySet<string>;
  readonly ranges: ReadonlyMap<string, RangeRequest>;
}

/** The known part of the state at one revision. */
export class KnownState {
  readonly values = new Map<string, StoredValue | undefined>();
  readonly ranges = new Map<string, readonly Entry[]>();

  /** Adds the values that a transaction read at this revision. */
  learn(request: CommitRequest): void {
    for (const [key, value] of request.reads) this.values.set(key, value);
    for (const { range, entries } of request.ranges) this.ranges.set(rangeName(range), entries);
  }
}

export function rangeName({ gte, lt, limit, reverse }: RangeRequest): string {
  return JSON.stringify([gte, lt, limit, reverse]);
}

/** Returns the keys and ranges that the batch will probably need besides those in `state`, to fetch them together. */
export function expectedNeeds(requests: readonly CommitRequest[], state: KnownState): Missing {
  const keys = new Set<string>();
  const ranges = new Map<string, RangeRequest>();
  const need = (key: string): void => {
    if (!state.values.has(key)) keys.add(key);
  };
  for (const request of requests) {
    for (const key of request.reads.keys()) need(key);
    for (const key of blindKeys(request)) need(key);
    for (const { range } of request.ranges) {
      const name = rangeName(range);
      if (!state.ranges.has(name)) ranges.set(name, range);
    }
  }
  return { keys, ranges };
}

/** Yields the keys that the transaction changes without having read them. */
export function* blindKeys({ reads, writes, expectedNew, additions, appends }: CommitRequest): Generator<string> {
  for (const key of writes.keys()) if (!reads.has(key) && expectedNew?.has(key) !== true) yield key;
  for (const { key } of additions) if (!reads.has(key)) yield key;
  for (const { counterKey } of appends) if (!reads.has(counterKey)) yield counterKey;
}

export function planBatch(
  requests: readonly CommitRequest[],
  known: number,
  state: KnownState,
  assumesFresh: boolean,
): Plan | Missing {
  const finals = new Map<string, StoredValue | undefined>();
  const fresh = new Set<string>();
  const assumed = new Set<string>();
  const keys = new Set<string>();
  const ranges = new Map<string, RangeRequest>();
  const results: Result[] = [];
  const journal: string[] = [];
  const notes: (string | null)[] = [];
  for (const request of requests) if (request.base === known) state.learn(request);
  for (const request of requests) {
    const built = new Set(request.expectedNew);
    const lookedUp = new Set<string>();
    const view = {
      get(key: string): StoredValue | undefined {
        if (finals.has(key)) return finals.get(key);
        if (state.values.has(key)) return state.values.get(key);
        if (assumesFresh && built.has(key) && !request.reads.has(key)) lookedUp.add(key);
        else keys.add(key);
        return undefined;
      },
      range(range: RangeRequest): readonly Entry[] {
        const name = rangeName(range);
        const entries = state.ranges.get(name);
        if (entries === undefined) ranges.set(name, range);
        return overlay(entries ?? [], finals, range);
      },
    };
    try {
      const changes = resolveCommit(noting(request, built), view, request.base === known + journal.length);
      if (keys.size > 0 || ranges.size > 0) {
        // The check stops at the first difference, and that may be a value that is not known yet. So this requests
        // everything that the transaction read.
        if (changes === undefined) addReads(request, state, keys, ranges);
        continue;
      }
      if (changes === undefined) {
        results.push({ outcome: { conflict: true } });
        continue;
      }
      if (changes.length > 0) {
        journal.push(encodeKeyChanges(changes));
        notes.push(request.note ?? null);
      }
      for (const { key, before, after } of changes) {
        if (before === undefined && !finals.has(key)) fresh.add(key);
        if (lookedUp.has(key)) assumed.add(key);
        // Unlike an insertion, a deletion does not fail if the key exists against the assumption.
        if (after === undefined && assumed.has(key)) keys.add(key);
        finals.set(key, after);
      }
      results.push({ outcome: { conflict: false, revision: known + journal.length } });
    } catch (error) {
      results.push({ error });
    }
  }
  return keys.size > 0 || ranges.size > 0 ? { keys, ranges } : { results, journal, notes, finals, fresh };
}

/** Returns a copy of the request that adds the keys of new log entries to `built`, before the commit looks them up. */
function noting(request: CommitRequest, built: Set<string>): CommitRequest {
  if (request.appends.length === 0) return request;
  const appends = request.appends.map((append) => ({
    ...append,
    build(sequence: number): readonly Entry[] {
      const entries = append.build(sequence);
      for (const [key] of entries) built.add(key);
      return entries;
    },
  }));
  return { ...request, appends };
}

function addReads(
  request: CommitRequest,
  state: KnownState,
  keys: Set<string>,
  ranges: Map<string, RangeRequest>,
): void {
  for (const key of request.reads.keys()) if (!state.values.has(key)) keys.add(key);
  for (const { range } of request.ranges) {
    if (!state.ranges.has(rangeName(range))) ranges.set(rangeName(range), range);
  }
}

/** Returns the entries of a range after `changes`; an undefined value removes the entry. */
export function overlay(
  entries: readonly Entry[],
  changes: ReadonlyMap<string, StoredValue | undefined>,
  { gte, lt, limit, reverse }: RangeRequest,
): readonly Entry[] {
  const inside = [...changes].filter(([key]) => compareKeys(key, gte) >= 0 && compareKeys(key, lt) < 0);
  if (inside.length === 0) return entries;
  const merged = new Map<string, StoredValue | undefined>([...entries, ...inside]);
  const direction = reverse ? -1 : 1;
  return [...merged]
    .filter((entry): entry is [string, StoredValue] => entry[1] !== undefined)
    .sort(([left], [right]) => direction * compareKeys(left, right))
    .slice(0, limit);
}
