import { accountErrors } from '../errors.ts';
import { limits } from './limits.ts';

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const keyShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function parsePreferenceKey(key: string): string {
  if (keyShape.test(key)) return key;
  throw accountErrors.PREFERENCE_INVALID('The key of a preference has 1 to 128 letters, digits, dots, dashes or _');
}

/** Refuses what would not come back as it was given, and what could harm the program that reads it. */
export function parsePreferenceValue(value: unknown): Json {
  checkJson(value, limits.preferenceDepth);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= limits.preferenceBytes) return value as Json;
  throw accountErrors.PREFERENCE_INVALID(`A preference has at most ${limits.preferenceBytes} bytes, not ${bytes}`);
}

function checkJson(value: unknown, depth: number): void {
  if (depth < 0) {
    throw accountErrors.PREFERENCE_INVALID(`A preference is nested at most ${limits.preferenceDepth} levels deep`);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    // Not forEach, which would pass over holes.
    for (const item of value) checkJson(item, depth - 1);
    return;
  }
  if (typeof value !== 'object' || !isPlain(value)) {
    throw accountErrors.PREFERENCE_INVALID(`A preference is JSON; it cannot hold a value of type ${typeof value}`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw accountErrors.PREFERENCE_INVALID('A preference cannot have the key __proto__');
    checkJson(item, depth - 1);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
