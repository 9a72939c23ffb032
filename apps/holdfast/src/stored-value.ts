import type { StoredValue } from '@holdfast/base';

type Encoding = 'json' | 'text' | 'hex';

export interface ShownValue {
  readonly value: unknown;
  readonly encoding: Encoding;
}

/**
 * Converts a stored value for programs. Only objects and lists count as JSON: only its owner knows whether the text `1`
 * is a number or a name.
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

export function valueLine(stored: StoredValue | undefined): string {
  if (stored === undefined) return '∅';
  return typeof stored === 'string' ? stored : `0x${Buffer.from(stored).toString('hex')}`;
}
