import { z } from 'zod';
import { utaskErrors } from './errors.ts';

export const ID_LENGTH = 128;
export const idPattern = /^[0-9a-f]{128}$/;
const TEXT_LENGTH_MAX = 64_000;

/** Where an imported task came from: what its format knows and a task has no field for, so that export can give it back. */
const Source = z.object({ format: z.string(), data: z.unknown() });

/**
 * A task as the seed has it: five fields, in this order. `source` is only there on imported tasks. Fields that other
 * programs added are kept.
 */
export const Task = z.looseObject({
  id: z.string().regex(idPattern),
  text: z.string(),
  done: z.boolean(),
  tags: z.array(z.string()).readonly(),
  created: z.string(),
  source: Source.optional(),
});
export type Task = Readonly<z.infer<typeof Task>>;

/** The value under a task's key. */
export function encodeTask(task: Task): string {
  const { id, text, done, tags, created, ...rest } = task;
  return JSON.stringify({ id, text, done, tags, created, ...rest });
}

export function decodeTask(key: string, value: string): Task {
  const parsed = Task.safeParse(parseJson(value));
  if (!parsed.success || parsed.data.id !== key) {
    throw utaskErrors.BAD_RECORD(`The value under ${key} is no task with this id.`, { cause: parsed.error });
  }
  return parsed.data;
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The text as it is stored: without space around it. */
export function checkedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw utaskErrors.BAD_TEXT('The text of a task is empty.');
  if (trimmed.length > TEXT_LENGTH_MAX) {
    throw utaskErrors.BAD_TEXT(`The text of a task has more than ${TEXT_LENGTH_MAX} characters.`);
  }
  if (!trimmed.isWellFormed()) throw utaskErrors.BAD_TEXT('The text of a task is not valid Unicode.');
  return trimmed;
}

/** Oldest first; ids decide between tasks of the same moment, so that the order is the same for everybody. */
export function byCreation(left: Task, right: Task): number {
  return compareText(instant(left), instant(right)) || compareText(left.id, right.id);
}

/** `…00Z` and `…00.000Z` are the same moment, and must not be ordered by their spelling. */
function instant({ created }: Task): string {
  return created.length === SECONDS_ONLY ? `${created.slice(0, -1)}.000Z` : created;
}

const SECONDS_ONLY = '2025-08-26T13:40:00Z'.length;

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
