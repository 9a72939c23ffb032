import { type Clock, type StoredValue, systemClock } from '@holdfast/base';

import type {
  CommitOutcome,
  CommitRequest,
  Engine,
  EngineCommit,
  EngineSnapshot,
  Entry,
  RangeRequest,
} from '../storage-engine.ts';
import { compareKeys } from '../keys/order.ts';
import { resolveCommit } from '../resolve-commit.ts';

/**
 * A keyspace in memory: for tests, and as the simplest implementation of the contract. The state is an immutable sorted
 * array that each commit replaces, so a snapshot only keeps a reference to the array.
 */

interface State {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

export function memoryEngine(now: Clock = systemClock): Engine {
  let state: State = { revision: 0, entries: [] };
  const history: EngineCommit[] = [];
  const listeners = new Set<() => void>();

  const commit = (request: CommitRequest): CommitOutcome => {
    const current = state;
    const view = { get: (key: string) => lookUp(current, key), range: (range: RangeRequest) => slice(current, range) };
    const changes = resolveCommit(request, view, request.base === current.revision);
    if (changes === undefined) return { conflict: true };
    if (changes.length === 0) return { conflict: false, revision: current.revision };
    const values = new Map(current.entries);
    for (const { key, after } of changes) {
      if (after === undefined) values.delete(key);
      else values.set(key, after);
    }
    const entries = [...values].toSorted(([left], [right]) => compareKeys(left, right));
    state = { revision: current.revision + 1, entries };
    history.push({ revision: state.revision, at: now(), note: request.note, reset: false, changes });
    for (const listener of listeners) listener();
    return { conflict: false, revision: state.revision };
  };

  return {
    get: (key) => lookUp(state, key),
    getMany: (keys) => keys.map((key) => lookUp(state, key)),
    range: (range) => slice(state, range),
    snapshot: () => snapshotOf(state),
    // Asynchronous like other engines, so tests see the same order of events.
    commit: async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      return commit(request);
    },
    revision: () => state.revision,
    changes: (since, limit) => history.filter(({ revision }) => revision > since).slice(0, limit),
    onChange(listener) {
      const entry = (): void => listener();
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    close: () => Promise.resolve(),
  };
}

function snapshotOf(state: State): EngineSnapshot {
  return {
    revision: () => state.revision,
    get: (key) => lookUp(state, key),
    getMany: (keys) => keys.map((key) => lookUp(state, key)),
    range: (range) => slice(state, range),
    release: () => undefined,
  };
}

function lookUp(state: State, key: string): StoredValue | undefined {
  const entry = state.entries[lowerBound(state.entries, key)];
  return entry?.[0] === key ? entry[1] : undefined;
}

function slice(state: State, { gte, lt, limit, reverse }: RangeRequest): readonly Entry[] {
  const found = state.entries.slice(lowerBound(state.entries, gte), lowerBound(state.entries, lt));
  return (reverse ? found.toReversed() : found).slice(0, limit);
}

/** Returns the index of the first entry whose key is equal to or above this key. */
function lowerBound(entries: readonly Entry[], key: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys((entries[middle] as Entry)[0], key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
