import { type Line, span } from './span.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move; PgUp PgDn Home End too'],
  ['Enter', 'show or hide the details of a task'],
  ['Tab', 'move in the log, or in the tasks'],
  ['f', 'only tasks with one status; again: the next one'],
  ['/', 'search in ids, titles and descriptions'],
  ['Esc', 'everything again'],
  ['s', 'sessions: choose another to follow'],
  ['d', 'the session of this directory'],
  ['r', 'read everything again'],
  ['q', 'quit'],
];

export function helpLines(): readonly Line[] {
  return [[span('Keys', 'bold')], ...KEYS.map(([key, meaning]): Line => [span(key.padEnd(9), 'cyan'), span(meaning)])];
}
