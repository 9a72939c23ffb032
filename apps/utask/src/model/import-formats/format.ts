import { utaskErrors } from '../errors.ts';
import { normalizedTags } from '../tag.ts';
import { checkedText, encodeTask, isTask, type Task } from '../task.ts';

export const FORMAT_NAMES = ['json', 'taskwarrior', 'todotxt'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export interface Format {
  readonly name: FormatName;
  /**
   * Parses the text; throws BAD_IMPORT if it has another format. `now` is the creation time of tasks that have none.
   */
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

const TODOTXT_LINE = /^(?:x |\([A-Z]\) |\d{4}-\d\d-\d\d )|(?:^|\s)[+@][^\s+@]/mu;

/** Detects the format from the content, because file names are unreliable. Refuses plain lines. */
export function detectFormat(text: string): FormatName {
  const beginning = text.trimStart();
  if (beginning.startsWith('[') || beginning.startsWith('{')) {
    // Checks our ids first, because a task imported from Taskwarrior also has Taskwarrior's field `entry`.
    return /"entry"\s*:/u.test(text) && !/"id"\s*:\s*"[0-9a-f]{128}"/u.test(text) ? 'taskwarrior' : 'json';
  }
  if (TODOTXT_LINE.test(text)) return 'todotxt';
  throw utaskErrors.BAD_IMPORT('The format of this file cannot be detected.', {
    hint: "Give it with --format; 'ut add < FILE' adds one task for each line.",
  });
}

/** Our own format: a list of tasks as stored, one per line. Also reads the output of `ut export --json`. */
export const jsonFormat: Format = {
  name: 'json',
  read: (text) =>
    entriesOf(dataOf(parseJson(text)), isTask, 'a task').map((task) => ({
      ...task,
      text: checkedText(task.text),
      tags: normalizedTags(task.tags),
    })),
  write: (tasks) => ({ text: `[\n${tasks.map(encodeTask).join(',\n')}\n]\n`, losses: [] }),
};

function dataOf(document: unknown): unknown {
  return Array.isArray(document) ? document : (document as { readonly data?: unknown } | null)?.data;
}

/** Checks that the document is a list of the entries that the format expects. */
export function entriesOf<Entry>(
  document: unknown,
  isEntry: (value: unknown) => value is Entry,
  what: string,
): readonly Entry[] {
  if (!Array.isArray(document)) throw utaskErrors.BAD_IMPORT('The file contains no list of tasks.');
  return document.map((entry: unknown, index) => {
    if (isEntry(entry)) return entry;
    throw utaskErrors.BAD_IMPORT(`Entry ${index + 1} of the list is not ${what}.`);
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw utaskErrors.BAD_IMPORT('This file is not valid JSON.', { cause: error });
  }
}
