import { createHash } from 'node:crypto';
import { utaskErrors } from './errors.ts';
import { ID_LENGTH } from './task.ts';

const PREFIX_LENGTH_MIN = 4;
const SHORT_LENGTH = 12;

export interface IdInputs {
  readonly created: string;
  readonly text: string;
  /** 16 random bytes, hashed after the text and a line feed. */
  readonly nonce: Uint8Array;
}

/** hex(sha512(created + "\n" + text + "\n" + nonce)) */
export function taskId({ created, text, nonce }: IdInputs): string {
  return createHash('sha512').update(`${created}\n${text}\n`).update(nonce).digest('hex');
}

/** Derives a nonce from the origin of a task, so that importing it again gives the same id. */
export function derivedNonce(origin: string): Uint8Array {
  return createHash('sha256').update(origin).digest().subarray(0, 16);
}

/** Normalizes and checks a typed id or prefix. */
export function checkedPrefix(typed: string): string {
  const prefix = typed.trim().toLowerCase();
  if (!/^[0-9a-f]*$/.test(prefix) || prefix.length > ID_LENGTH) {
    throw utaskErrors.BAD_ID(`"${typed}" cannot be the beginning of an id.`);
  }
  if (prefix.length < PREFIX_LENGTH_MIN) {
    throw utaskErrors.PREFIX_TOO_SHORT(
      `"${typed}" is too short for the beginning of an id: at least ${PREFIX_LENGTH_MIN} characters.`,
    );
  }
  return prefix;
}

/** Short form for lists. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}

/** Short ids, long enough to be distinct. */
export function toldApart(ids: readonly string[]): readonly string[] {
  let length = SHORT_LENGTH;
  while (length < ID_LENGTH && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 1;
  return ids.map((id) => id.slice(0, length));
}

/** Form for confirmations: both ends of the id. */
export function abbreviatedId(id: string): string {
  return `${id.slice(0, 14)}...${id.slice(-4)}`;
}
