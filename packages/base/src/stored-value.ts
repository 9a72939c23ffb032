export type StoredValue = string | Uint8Array;

export function sameStored(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  if (left === right) return true;
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) return false;
  return Buffer.compare(left, right) === 0;
}

/** A stored value in JSON output; bytes are shown as hexadecimal digits. */
export interface ShownValue {
  readonly value: unknown;
  readonly encoding: 'json' | 'text' | 'hex';
}

/** Parses only objects and lists as JSON: other text such as `4368e4` may be a name that looks like a number. */
export function shownValue(stored: StoredValue): ShownValue {
  if (typeof stored !== 'string') return { value: Buffer.from(stored).toString('hex'), encoding: 'hex' };
  if (!/^[[{]/.test(stored)) return { value: stored, encoding: 'text' };
  try {
    return { value: JSON.parse(stored) as unknown, encoding: 'json' };
  } catch {
    return { value: stored, encoding: 'text' };
  }
}
