import { MEBIBYTE, sameStored, type StoredValue } from '@holdfast/base';

import type { Append, CommitRequest, EngineChange, Entry, RangeRequest } from './storage-engine.ts';
import { keyspaceErrors } from './errors.ts';
import { decodeCounter, encodeCounter } from './schema/value-codec.ts';

/**
 * Computes the changes that a commit makes to the current state. This code is pure and shared by all engines, which add
 * only the lock and the writes. Validates reads by value: values need no version numbers, and a value that changed and
 * changed back is not a conflict. Assigns counters and log numbers here, so writers that only count or append never
 * conflict.
 */

interface CurrentState {
  get(key: string): StoredValue | undefined;
  range(range: RangeRequest): readonly Entry[];
}

/** Returns the changes; undefined if anything that the transaction read has changed. */
export function resolveCommit(
  request: CommitRequest,
  state: CurrentState,
  nothingCommittedSince: boolean,
): readonly EngineChange[] | undefined {
  if (!nothingCommittedSince && !readsStillHold(request, state)) return undefined;
  const befores = new Map<string, StoredValue | undefined>();
  const afters = new Map<string, StoredValue | undefined>();
  const read = (key: string): StoredValue | undefined => {
    if (afters.has(key)) return afters.get(key);
    const value = request.reads.has(key) ? request.reads.get(key) : state.get(key);
    befores.set(key, value);
    return value;
  };
  const write = (key: string, value: StoredValue | undefined): void => {
    if (!befores.has(key)) read(key);
    afters.set(key, value);
  };
  for (const [key, value] of request.writes) write(key, value);
  for (const { key, encoding, amount } of request.additions) {
    write(key, encodeCounter(decodeCounter(read(key), encoding, key) + amount, encoding));
  }
  for (const append of request.appends) resolveAppend(append, read, write);
  const changes: EngineChange[] = [];
  for (const [key, after] of afters) {
    const before = befores.get(key);
    if (!sameStored(before, after)) changes.push({ key, before, after });
  }
  checkStorable(changes);
  return changes;
}

function resolveAppend(
  append: Append,
  read: (key: string) => StoredValue | undefined,
  write: (key: string, value: StoredValue) => void,
): void {
  const { counterKey, encoding, counterHolds } = append;
  const held = read(counterKey);
  // A missing counter means that nothing was appended yet.
  const sequence =
    held === undefined ? 1 : decodeCounter(held, encoding, counterKey) + (counterHolds === 'last' ? 1 : 0);
  write(counterKey, encodeCounter(counterHolds === 'last' ? sequence : sequence + 1, encoding));
  for (const [key, value] of append.build(sequence)) write(key, value);
}

function readsStillHold(request: CommitRequest, state: CurrentState): boolean {
  for (const [key, value] of request.reads) {
    if (!sameStored(state.get(key), value)) return false;
  }
  return request.ranges.every(({ range, entries }) => sameEntries(state.range(range), entries));
}

function sameEntries(left: readonly Entry[], right: readonly Entry[]): boolean {
  if (left.length !== right.length) return false;
  return left.every(([key, value], index) => {
    const other = right[index] as Entry;
    return key === other[0] && sameStored(value, other[1]);
  });
}

/** The limits are the same for every engine, so that a database can move between engines. */
const KEY_BYTES_MAX = 1_024;
const VALUE_BYTES_MAX: number = 16 * MEBIBYTE;
const COMMIT_BYTES_MAX: number = 64 * MEBIBYTE;

/** Rejects text that an engine would truncate or change: SQLite ends text at NUL, and UTF-8 has no lone surrogates. */
function checkStorable(changes: readonly EngineChange[]): void {
  let total = 0;
  for (const { key, after } of changes) {
    const keyBytes = textBytes(key, key);
    if (keyBytes > KEY_BYTES_MAX) {
      throw keyspaceErrors.KEY_TOO_LONG(
        `A key has ${keyBytes} bytes; the maximum is ${KEY_BYTES_MAX}: ${excerpt(key)}`,
      );
    }
    const valueBytes = after === undefined ? 0 : bytesOf(after, key);
    if (valueBytes > VALUE_BYTES_MAX) {
      throw keyspaceErrors.VALUE_TOO_LARGE(
        `The value of ${excerpt(key)} has ${valueBytes} bytes; the maximum is ${VALUE_BYTES_MAX}`,
      );
    }
    total += keyBytes + valueBytes;
  }
  if (total > COMMIT_BYTES_MAX) {
    throw keyspaceErrors.COMMIT_TOO_LARGE(`The commit has ${total} bytes; the maximum is ${COMMIT_BYTES_MAX}`);
  }
}

function bytesOf(value: StoredValue, key: string): number {
  return typeof value === 'string' ? textBytes(value, key) : value.byteLength;
}

function textBytes(text: string, key: string): number {
  const problem = text.includes('\0')
    ? 'a NUL character'
    : text.isWellFormed()
      ? undefined
      : 'a lone surrogate (half of a character)';
  if (problem !== undefined) throw keyspaceErrors.TEXT_NOT_STORABLE(`${excerpt(key)} contains ${problem}`);
  return Buffer.byteLength(text);
}

function excerpt(key: string): string {
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 80)}…` : key);
}
