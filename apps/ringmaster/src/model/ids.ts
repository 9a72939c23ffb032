import { ringmasterErrors } from './errors.ts';

/**
 * Ids also name folders and files, so they must be safe there: no separator, no leading dot, no `..`. Real Beads ids
 * (`bd-a3f8.1`, `coding_agent_session_search-x`, `bd-mol-x`) pass.
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

/** Random ids that grow when they collide: `bd-xxxx`, then `bd-xxxxx`. `random` gives numbers from 0 up to 1. */
export function* rootIds(prefix: string, random: () => number): Generator<string, never> {
  for (let length = LENGTH_MIN; ; length++) {
    for (let tried = 0; tried < TRIES_PER_LENGTH; tried++) {
      const characters = Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]);
      yield `${prefix}-${characters.join('')}`;
    }
  }
}

/** `bd-a3f8` and 2 make `bd-a3f8.2`; a decision is `bd-a3f8-d2`, a question `bd-a3f8-q2`. */
export function childId(parent: string, kind: 'child' | 'decision' | 'question', number: number): string {
  const mark = { child: '.', decision: '-d', question: '-q' }[kind];
  return `${parent}${mark}${number}`;
}

/** Returns the number in an id that `childId` made; undefined for other ids. */
export function childNumber(parent: string, kind: 'child' | 'decision' | 'question', id: string): number | undefined {
  const start = childId(parent, kind, 0).slice(0, -1);
  const rest = id.slice(start.length);
  return id.startsWith(start) && /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
}
