import { MEBIBYTE, type StoredValue } from '@holdfast/base';

import type { EngineChange } from './engine.ts';
import { keyspaceErrors } from './errors.ts';

/** The same for every engine, so a database can move between engines. */
const KEY_BYTES_MAX = 1_024;
const VALUE_BYTES_MAX: number = 16 * MEBIBYTE;
const COMMIT_BYTES_MAX: number = 64 * MEBIBYTE;

/**
 * Rejects what some engine would truncate, replace or refuse. SQLite ends text at NUL; UTF-8 has no lone surrogates.
 */
export function checkStorable(changes: readonly EngineChange[]): void {
  let total = 0;
  for (const { key, after } of changes) {
    const keyBytes = textBytes(key, key);
    if (keyBytes > KEY_BYTES_MAX) {
      throw keyspaceErrors.KEY_TOO_LONG(`A key has ${keyBytes} bytes, more than ${KEY_BYTES_MAX}: ${excerpt(key)}`);
    }
    const valueBytes = after === undefined ? 0 : bytesOf(after, key);
    if (valueBytes > VALUE_BYTES_MAX) {
      throw keyspaceErrors.VALUE_TOO_LARGE(`${excerpt(key)} has ${valueBytes} bytes, more than ${VALUE_BYTES_MAX}`);
    }
    total += keyBytes + valueBytes;
  }
  if (total > COMMIT_BYTES_MAX) {
    throw keyspaceErrors.COMMIT_TOO_LARGE(`One commit has ${total} bytes, more than ${COMMIT_BYTES_MAX}`);
  }
}

function bytesOf(value: StoredValue, key: string): number {
  return typeof value === 'string' ? textBytes(value, key) : value.byteLength;
}

function textBytes(text: string, key: string): number {
  const problem = text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? undefined : 'half a character';
  if (problem !== undefined) throw keyspaceErrors.TEXT_NOT_STORABLE(`${excerpt(key)} has ${problem}`);
  return Buffer.byteLength(text);
}

function excerpt(key: string): string {
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 80)}…` : key);
}
