import { blake3Hex } from './hash.ts';
import { normalize } from './normalize.ts';

/** The texts that a task was created from. Its id never follows later edits. */
export interface TaskContent {
  readonly title: string;
  readonly description: string;
}

const ID_LENGTH_MIN = 6;
const HASH_LENGTH = 64;

export function taskHash({ title, description }: TaskContent, sid: string): string {
  return blake3Hex(`${normalize(title)}|${normalize(description)}|${sid}`);
}

/** Returns the common prefix of all ids that could collide with this hash. */
export function idStem(hash: string): string {
  return hash.slice(0, ID_LENGTH_MIN);
}

export function isSameContent(left: TaskContent, right: TaskContent): boolean {
  return (
    normalize(left.title) === normalize(right.title) && normalize(left.description) === normalize(right.description)
  );
}

/**
 * Returns the shortest free prefix of the hash, at least six digits. Six are 24 bits: among 1,000 tasks, two collide
 * with a probability of 3 %, and the second must not be taken for the first.
 */
export function freeTaskId(hash: string, takenIds: ReadonlySet<string>): string {
  for (let length = ID_LENGTH_MIN; length <= HASH_LENGTH; length += 1) {
    const id = hash.slice(0, length);
    if (!takenIds.has(id)) return id;
  }
  throw new Error('59 tasks have the same hash, which does not happen');
}
