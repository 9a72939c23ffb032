import { type Line, span } from './span.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move; PgUp PgDn Home End too'],
  ['Enter', 'all about the task; again: hide'],
  ['Tab', 'to the log, or to the tasks'],
  ['f', 'one status; again: the next'],
  ['/', 'search in ids and texts'],
  ['Esc', 'everything again'],
  ['s', 'choose another session'],
  ['d', 'the session of this directory'],
  ['r', 'read everything again'],
  ['q', 'quit'],
];

/** What stays readable on a narrow screen; on a low one the heading is the first to go. */
export function helpLines(rows: number): readonly Line[] {
  const head: readonly Line[] = rows > KEYS.length ? [[span('Keys', 'bold')]] : [];
  return [...head, ...KEYS.map(([key, meaning]): Line => [span(key.padEnd(9), 'cyan'), span(meaning)])];
}
