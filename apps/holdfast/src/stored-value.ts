import type { StoredValue } from '@holdfast/base';

type Encoding = 'json' | 'text' | 'hex';

export interface ShownValue {
  readonly value: unknown;
  readonly encoding: Encoding;
}

/**
 * A stored value as a program can use it. Only objects and lists count as JSON: the text `1` may be a number or a name,
 * and only its owner knows.
 */
export function shownValue(stored: StoredValue): ShownValue {
  if (typeof stored !== 'string') return { value: Buffer.from(stored).toString('hex'), encoding: 'hex' };
  if (!/^[[{]/.test(stored)) return { value: stored, encoding: 'text' };
  try {
    return { value: JSON.parse(stored) as unknown, encoding: 'json' };
  } catch {
    return { value: stored, encoding: 'text' };
  }
}

/** A stored value on one line, for people. */
export function valueLine(stored: StoredValue | undefined): string {
  if (stored === undefined) return '∅';
  return typeof stored === 'string' ? stored : `0x${Buffer.from(stored).toString('hex')}`;
}
