import { ringmasterErrors } from './errors.ts';

/**
 * Ids are also names of folders and files, so they have no separator, no leading dot and no `..`. Real Beads ids
 * (`bd-a3f8.1`, `coding_agent_session_search-x`, `bd-mol-x`) are valid.
 */
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,127}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

export function checkId(text: string): string {
  if (isId(text)) return text;
  throw ringmasterErrors.ID_INVALID(`"${text}" is not a valid id`);
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH_MIN = 4;
const TRIES_PER_LENGTH = 8;

/** Yields random ids: short ones (`bd-xxxx`) first, longer ones (`bd-xxxxx`) after several collisions. */
export function* rootIds(prefix: string, random: () => number): Generator<string, never> {
  for (let length = LENGTH_MIN; ; length++) {
    for (let tried = 0; tried < TRIES_PER_LENGTH; tried++) {
      const characters = Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]);
      yield `${prefix}-${characters.join('')}`;
    }
  }
}

/** Child 2 of `bd-a3f8` is `bd-a3f8.2`, its decision 2 is `bd-a3f8-d2`, and its question 2 is `bd-a3f8-q2`. */
export function childId(parent: string, kind: 'child' | 'decision' | 'question', number: number): string {
  const mark = { child: '.', decision: '-d', question: '-q' }[kind];
  return `${parent}${mark}${number}`;
}

/** Returns the number in an id from `childId`; undefined for other ids. */
export function childNumber(parent: string, kind: 'child' | 'decision' | 'question', id: string): number | undefined {
  const start = childId(parent, kind, 0).slice(0, -1);
  const rest = id.slice(start.length);
  return id.startsWith(start) && /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
}
