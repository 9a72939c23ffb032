import { utaskErrors } from '../errors.ts';
import type { Task } from '../task.ts';

export const FORMAT_NAMES = ['json', 'taskwarrior', 'todotxt'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export interface Format {
  readonly name: FormatName;
  /** Throws BAD_IMPORT for other formats. `now` is for tasks without a time of creation. */
  read(text: string, now: string): readonly Task[];
  write(tasks: readonly Task[]): Written;
}

interface Written {
  readonly text: string;
  /** Messages about data that the format cannot hold. */
  readonly losses: readonly string[];
}

export function countOf(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} × ${what}`];
}

// oxlint-disable-next-line no-control-regex -- control characters are what gives a binary file away
const BINARY = /[\u0000-\u0008\u000e-\u001f]/u;
const TODOTXT_LINE = /^(?:x |\([A-Z]\) |\d{4}-\d\d-\d\d )|(?:^|\s)[+@][^\s+@]/mu;

/** Detects by content, since a file of any format may have any name. Plain lines could be anything, so they are refused. */
export function detectFormat(text: string): FormatName {
  if (BINARY.test(text)) throw utaskErrors.BAD_IMPORT('This is a binary file, not a list of tasks.');
  const beginning = text.trimStart();
  if (beginning.startsWith('[') || beginning.startsWith('{')) {
    // Our ids come first: a task that was imported from Taskwarrior keeps what it had there, `entry` included.
    return /"entry"\s*:/u.test(text) && !/"id"\s*:\s*"[0-9a-f]{128}"/u.test(text) ? 'taskwarrior' : 'json';
  }
  if (TODOTXT_LINE.test(text)) return 'todotxt';
  throw utaskErrors.BAD_IMPORT('The format of this file cannot be detected.', {
    hint: "Give it with --format; 'ut add < FILE' adds one task for each line.",
  });
}
