import { createHash } from 'node:crypto';
import { isBlank, toTimestamp } from '@holdfast/base';
import { utaskErrors } from './errors.ts';

export const ID_LENGTH = 128;
const NOT_HEXADECIMAL = /[^0-9a-f]/;
const TEXT_LENGTH_MAX = 64_000;

/**
 * A task as in utask's design document: five fields, in this order, plus optional fields that other clients ignore.
 * `source` holds imported data that has no field here, so that an export restores it. Fields that other programs added
 * are kept. details.ts has the fields for due date, priority, project and notes.
 */
export interface Task {
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  readonly tags: readonly string[];
  readonly created: string;
  /** Time at which the task was marked as done. Other clients do not store this field. */
  readonly completed?: string | undefined;
  readonly source?: Source | undefined;
  readonly [field: string]: unknown;
}

interface Source {
  readonly format: string;
  readonly data?: unknown;
}

export function isTaskId(text: string): boolean {
  return text.length === ID_LENGTH && !NOT_HEXADECIMAL.test(text);
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
  throw utaskErrors.BAD_RECORD(`The value under ${key} is not a task with this id.`);
}

/** Hand-written, because loading a schema library would slow down every list. */
export function isTask(value: unknown): value is Task {
  if (typeof value !== 'object' || value === null) return false;
  const { id, text, done, tags, created, completed, source } = value as Readonly<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    isTaskId(id) &&
    typeof text === 'string' &&
    typeof done === 'boolean' &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string') &&
    typeof created === 'string' &&
    (completed === undefined || typeof completed === 'string') &&
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

export function checkedText(text: string): string {
  const trimmed = text.trim();
  if (isBlank(trimmed)) throw utaskErrors.BAD_TEXT('The text of a task is empty.');
  if (trimmed.length > TEXT_LENGTH_MAX) {
    throw utaskErrors.BAD_TEXT(`The text of a task has more than ${TEXT_LENGTH_MAX} characters.`);
  }
  if (!trimmed.isWellFormed()) throw utaskErrors.BAD_TEXT('The text of a task is not valid Unicode.');
  return trimmed;
}

/** Rejects times before 1970, which keys of the embedded store cannot hold. np has the same limit. */
export function checkedTime(milliseconds: number): number {
  if (milliseconds < 0) throw utaskErrors.CLOCK_WRONG('The system clock is set to a time before 1970.');
  return milliseconds;
}

export type TaskState = 'open' | 'done' | 'waiting' | 'recurring' | 'deleted';

/** Tasks imported from Taskwarrior can have states that no ut command sets. */
export function stateOf(
  { done, completed, source }: Pick<Task, 'done' | 'completed' | 'source'>,
  now: number,
): TaskState {
  const { status, wait } = (source?.format === 'taskwarrior' ? source.data : {}) as TaskwarriorState;
  if (done) return status === 'deleted' && completed === undefined ? 'deleted' : 'done';
  if (status === 'recurring') return 'recurring';
  const isWaiting = wait === undefined ? status === 'waiting' : wait > toTimestamp(now).replaceAll(/[-:]|\.\d+/g, '');
  return isWaiting ? 'waiting' : 'open';
}

interface TaskwarriorState {
  readonly status?: string;
  /** `20250826T134000Z` */
  readonly wait?: string;
}

/** Sorts the oldest first. Tasks with equal times are ordered by id, so that the order is the same everywhere. */
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

const PREFIX_LENGTH_MIN = 4;
const SHORT_LENGTH = 12;

export interface IdInputs {
  readonly created: string;
  readonly text: string;
  /** 16 random bytes, the last part of the hashed text. */
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
    throw utaskErrors.BAD_ID(`"${typed}" is not a valid id prefix.`);
  }
  if (prefix.length < PREFIX_LENGTH_MIN) {
    throw utaskErrors.PREFIX_TOO_SHORT(
      `The id prefix "${typed}" is too short; give at least ${PREFIX_LENGTH_MIN} characters.`,
    );
  }
  return prefix;
}

/** Returns the short form for lists. A key that another program wrote is not an id and is not shortened. */
export function shortId(id: string): string {
  return isTaskId(id) ? id.slice(0, SHORT_LENGTH) : id;
}

/** Shortens the ids, but not so much that two of them become equal. */
export function distinctPrefixes(ids: readonly string[]): readonly string[] {
  let length = SHORT_LENGTH;
  while (length < ID_LENGTH && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 1;
  return ids.map((id) => id.slice(0, length));
}

/** Returns the form for confirmations: both ends of the id. */
export function abbreviatedId(id: string): string {
  return isTaskId(id) ? `${id.slice(0, 14)}...${id.slice(-4)}` : id;
}
