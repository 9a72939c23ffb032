import { utaskErrors } from './errors.ts';

export const ID_LENGTH = 128;
export const idPattern = /^[0-9a-f]{128}$/;
const TEXT_LENGTH_MAX = 64_000;

/**
 * A task of the design document: five fields, in this order. Imported tasks also have `source`: what their format
 * knows and a task has no field for, so that an export restores it. Fields that other programs added are kept.
 */
export interface Task {
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  readonly tags: readonly string[];
  readonly created: string;
  readonly source?: Source | undefined;
  readonly [field: string]: unknown;
}

interface Source {
  readonly format: string;
  readonly data?: unknown;
}

export function encodeTask(task: Task): string {
  const { id, text, done, tags, created, ...rest } = task;
  return JSON.stringify({ id, text, done, tags, created, ...rest });
}

/** Returns undefined for a value that is not a task. */
export function readTask(key: string, value: string): Task | undefined {
  const task = parseJson(value);
  return isTask(task) && task.id === key ? task : undefined;
}

export function decodeTask(key: string, value: string): Task {
  const task = readTask(key, value);
  if (task !== undefined) return task;
  throw utaskErrors.BAD_RECORD(`The value under ${key} is no task with this id.`);
}

/**
 * The check of task-schema.ts without loading zod, which would slow down every list. A test keeps the two
 * equal.
 */
export function isTask(value: unknown): value is Task {
  if (typeof value !== 'object' || value === null) return false;
  const { id, text, done, tags, created, source } = value as Readonly<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    idPattern.test(id) &&
    typeof text === 'string' &&
    typeof done === 'boolean' &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string') &&
    typeof created === 'string' &&
    (source === undefined || isSource(source))
  );
}

function isSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Source).format === 'string';
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Trims and checks a text. */
export function checkedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw utaskErrors.BAD_TEXT('The text of a task is empty.');
  if (trimmed.length > TEXT_LENGTH_MAX) {
    throw utaskErrors.BAD_TEXT(`The text of a task has more than ${TEXT_LENGTH_MAX} characters.`);
  }
  if (!trimmed.isWellFormed()) throw utaskErrors.BAD_TEXT('The text of a task is not valid Unicode.');
  return trimmed;
}

/** Oldest first; equal times are ordered by id, so that the order is the same everywhere. */
export function byCreation(left: Task, right: Task): number {
  const isSameSpelling = left.created.length === right.created.length;
  const order = isSameSpelling
    ? compareText(left.created, right.created)
    : compareText(instantOf(left), instantOf(right));
  return order === 0 ? compareText(left.id, right.id) : order;
}

/** Makes `…00Z` and `…00.000Z` equal. */
export function instantOf({ created }: Task): string {
  return created.length === SECONDS_ONLY ? `${created.slice(0, -1)}.000Z` : created;
}

const SECONDS_ONLY = '2025-08-26T13:40:00Z'.length;

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
