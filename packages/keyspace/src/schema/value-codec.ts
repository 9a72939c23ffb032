import { schemaErrors, shownValue, type StoredValue } from '@holdfast/base';

import { keyspaceErrors } from '../errors.ts';
import { type StandardSchema, validate } from './standard-schema.ts';

/** Converts between application values and stored values, validating both ways. */
export interface ValueCodec<Value> {
  encode(value: Value, key: string): StoredValue;
  decode(stored: StoredValue, key: string): Value;
}

export function jsonCodec<Value>(schema: StandardSchema<Value>, source: string): ValueCodec<Value> {
  return {
    encode(value, key) {
      const checked = validate(schema, value);
      if ('problem' in checked) throw keyspaceErrors.VALUE_INVALID(`${source}: ${checked.problem} (key ${key})`);
      return JSON.stringify(checked.value);
    },
    decode(stored, key) {
      const checked = validate(schema, parseJson(stored, key));
      if ('problem' in checked) throw schemaErrors.VALUE_UNREADABLE(`${source}: ${checked.problem} (key ${key})`);
      return checked.value;
    },
  };
}

export function textCodec(source: string): ValueCodec<string> {
  return {
    encode(value, key) {
      if (typeof value !== 'string') throw keyspaceErrors.VALUE_INVALID(`${source}: expected text (key ${key})`);
      // The SQLite driver truncates text at NUL. JSON values are safe, because JSON escapes NUL.
      if (value.includes('\0')) throw keyspaceErrors.VALUE_INVALID(`${source}: text with a NUL character (key ${key})`);
      return value;
    },
    decode(stored, key) {
      if (typeof stored === 'string') return stored;
      throw schemaErrors.VALUE_UNREADABLE(`${source}: expected text, found bytes (key ${key})`);
    },
  };
}

/** `u64be` is eight raw big-endian bytes; `decimal` is digits as text. */
export type CounterEncoding = 'decimal' | 'u64be';

export function encodeCounter(value: number, encoding: CounterEncoding): StoredValue {
  if (!Number.isSafeInteger(value)) throw keyspaceErrors.LOG_FULL(`A counter cannot hold ${value}`);
  if (encoding === 'decimal') return String(value);
  if (value < 0) throw keyspaceErrors.LOG_FULL('A counter of raw bytes cannot be negative');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

export function decodeCounter(stored: StoredValue | undefined, encoding: CounterEncoding, key: string): number {
  if (stored === undefined) return 0;
  const value = encoding === 'decimal' ? fromDecimal(stored) : fromBytes(stored);
  if (value !== undefined) return value;
  const shown = String(shownValue(stored).value);
  throw schemaErrors.VALUE_UNREADABLE(`The counter ${key} contains ${shown}, which is not a number`);
}

function fromDecimal(stored: StoredValue): number | undefined {
  if (typeof stored !== 'string' || !/^-?[0-9]{1,16}$/.test(stored)) return undefined;
  return Number.isSafeInteger(Number(stored)) ? Number(stored) : undefined;
}

function fromBytes(stored: StoredValue): number | undefined {
  if (typeof stored === 'string' || stored.byteLength !== 8) return undefined;
  const value = Number(new DataView(stored.buffer, stored.byteOffset, 8).getBigUint64(0));
  return Number.isSafeInteger(value) ? value : undefined;
}

function parseJson(stored: StoredValue, key: string): unknown {
  if (typeof stored === 'string') {
    try {
      return JSON.parse(stored);
    } catch (error) {
      throw schemaErrors.VALUE_UNREADABLE(`The value under ${key} is not JSON`, { cause: error });
    }
  }
  throw schemaErrors.VALUE_UNREADABLE(`The value under ${key} is bytes, not JSON`);
}
