import { schemaErrors } from './errors.ts';

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

/** Parses an object that Holdfast stored as JSON text. Throws VALUE_UNREADABLE if the text is damaged. */
export function parseStoredObject(text: string): object {
  const value = parseStored(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw schemaErrors.VALUE_UNREADABLE(`A stored value is not a JSON object: ${excerpt(text)}`);
}

/** Like `parseStoredObject`, for a list. */
export function parseStoredList(text: string): readonly unknown[] {
  const value = parseStored(text);
  if (Array.isArray(value)) return value;
  throw schemaErrors.VALUE_UNREADABLE(`A stored value is not a JSON list: ${excerpt(text)}`);
}

function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw schemaErrors.VALUE_UNREADABLE(`A stored value is not JSON: ${excerpt(text)}`, { cause: error });
  }
}

const EXCERPT_LENGTH = 40;

function excerpt(text: string): string {
  return JSON.stringify(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text);
}
