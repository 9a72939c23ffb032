import type { Schema } from '@holdfast/operation';
import { type Event, eventSchema } from './event.ts';
import { isKeyTime } from './clock.ts';
import { npErrors } from './errors.ts';
import { type Goal, goalSchema, orderOf, type Session, sessionSchema, type Task, taskSchema } from './session.ts';

/** A whole session in one document, for backups and imports elsewhere. */
export interface ExportedSession {
  readonly format: 'np-session';
  readonly version: number;
  readonly session: Session;
  readonly goal: Goal | null;
  readonly tasks: readonly Task[];
  readonly events: readonly Event[];
}

export function parseExport(text: string): ExportedSession {
  return checkExport(parseJson(text));
}

/** Checks everything that an import relies on. Accepts the envelope that `--json` prints around an export. */
export function checkExport(read: unknown): ExportedSession {
  const document = isObject(read) && 'schema_version' in read ? read['data'] : read;
  if (!isObject(document) || document['format'] !== 'np-session' || document['version'] !== 1) {
    throw npErrors.IMPORT_INVALID('This is not an export of a session (format "np-session", version 1).');
  }
  const session = checked(sessionSchema, document['session'], 'session');
  const goal = document['goal'] === null ? null : checked(goalSchema, document['goal'], 'goal');
  const tasks = listOf(taskSchema, document['tasks'], 'tasks');
  const events = listOf(eventSchema, document['events'], 'events');
  if ((session.state === 'archived') !== (session.archived_at !== null))
    refuse('session: state and archived_at differ');
  events.forEach(({ seq }, index) => {
    if (seq !== index) refuse(`events: number ${seq} stands where ${index} belongs`);
  });
  if (events.length === 0) refuse('events: the log is empty');
  if (new Set(tasks.map(({ id }) => id)).size !== tasks.length) refuse('tasks: an id occurs twice');
  for (const { id, created_seq: seq } of tasks) {
    const event = events[seq];
    if (event?.type !== 'task_added' || event.payload.task.id !== id)
      refuse(`tasks: event ${seq} did not create ${id}`);
  }
  checkKeys(session, tasks, events);
  return { format: 'np-session', version: 1, session, goal, tasks, events };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw npErrors.IMPORT_INVALID('The export is not JSON.', { cause: error });
  }
}

const SID = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

/** Rejects values that cannot be part of a key. */
function checkKeys(session: Session, tasks: readonly Task[], events: readonly Event[]): void {
  if (!SID.test(session.sid)) refuse(`session: "${session.sid}" cannot be the id of a session`);
  if (session.archived_at !== null && !isKeyTime(session.archived_at))
    refuse('session: archived_at is no possible time');
  events.forEach(({ at }, index) => {
    if (!isKeyTime(at)) refuse(`events[${index}]: at is no possible time`);
  });
  const places = new Set(tasks.map(orderOf));
  // A later task would take a position beyond the log.
  const isBeyond = [...places].some((place) => place >= events.length);
  if (places.size !== tasks.length || isBeyond) refuse('tasks: a place is not possible');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function listOf<Value>(schema: Schema<Value>, value: unknown, name: string): readonly Value[] {
  if (!Array.isArray(value)) refuse(`${name}: expected a list`);
  return value.map((item, index) => checked(schema, item, `${name}[${index}]`));
}

function checked<Value>(schema: Schema<Value>, value: unknown, name: string): Value {
  const result = schema['~standard'].validate(value);
  if (!('issues' in result)) return result.value;
  const problems = result.issues.map(({ message, path }) => [...path, message].join(': ')).join('; ');
  return refuse(`${name}: ${problems}`);
}

function refuse(problem: string): never {
  throw npErrors.IMPORT_INVALID(`The export is not sound. ${problem}`);
}
