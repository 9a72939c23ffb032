import {
  check,
  choice,
  list,
  nullable,
  object,
  type ObjectField,
  optional,
  type Schema,
  time,
  union,
  type ValueOf,
} from '@holdfast/operation';
import { count, goalFields, statusLabel, snapshotObject, STATUSES, storedText } from './plan.ts';

/**
 * The log of a session. Payloads are immutable snapshots, so that a reader can show a change without further reads. The
 * first five event types come from np's design document. np adds more types, so that the log also shows when a session
 * ended and when a task was deleted.
 */

const goal = object(goalFields);
const status = choice(STATUSES);

const payloadFields = {
  goal_set: { goal },
  goal_updated: { goal_before: goal, goal_after: goal },
  task_added: { task: snapshotObject, after: optional(list(storedText)) },
  task_updated: { task_id: storedText, before: goal, after: goal },
  task_status_changed: {
    task_id: storedText,
    title: storedText,
    status_before: status,
    status_after: status,
    updated_at: time(),
  },
  session_started: { sid: storedText, dir_path: storedText, created_at: time() },
  session_archived: { sid: storedText, dir_path: storedText, archived_at: time() },
  session_unarchived: { sid: storedText, dir_path: storedText, unarchived_at: time() },
  task_deleted: { task: snapshotObject },
  task_moved: {
    task_id: storedText,
    title: storedText,
    position_before: count,
    position_after: count,
    updated_at: time(),
  },
  task_claimed: {
    task_id: storedText,
    title: storedText,
    actor: nullable(storedText),
    actor_before: optional(storedText),
    claimed_until: optional(time()),
    updated_at: time(),
  },
  task_noted: { task_id: storedText, title: storedText, note: storedText },
  change_undone: { first_seq: count, last_seq: count, change: storedText },
} as const;

export type EventType = keyof typeof payloadFields;

function eventOf<const Type extends EventType>(type: Type) {
  return object({
    seq: count,
    at: time(),
    type: choice([type]),
    reason: nullable(storedText),
    cmd: storedText,
    /** The actor that made the change, if known. */
    actor: optional(storedText),
    payload: object(payloadFields[type]),
  });
}

export const eventObject = union([
  eventOf('goal_set'),
  eventOf('goal_updated'),
  eventOf('task_added'),
  eventOf('task_updated'),
  eventOf('task_status_changed'),
  eventOf('session_started'),
  eventOf('session_archived'),
  eventOf('session_unarchived'),
  eventOf('task_deleted'),
  eventOf('task_moved'),
  eventOf('task_claimed'),
  eventOf('task_noted'),
  eventOf('change_undone'),
]);
export type Event = ValueOf<typeof eventObject>;
export type PayloadOf<Type extends EventType> = Extract<Event, { readonly type: Type }>['payload'];

const objectByType: ReadonlyMap<unknown, ObjectField> = new Map(
  eventObject.of.map((each) => [each.fields.type.choices[0], each]),
);

/** Checks an event by its type. Trying every form of the union would make reading a long log slow. */
export const eventSchema: Schema<Event> = {
  field: eventObject.of[0],
  '~standard': {
    version: 1,
    vendor: 'holdfast',
    validate(value) {
      const known = objectByType.get((value as { readonly type?: unknown } | null | undefined)?.type);
      if (known === undefined) return { issues: [{ message: 'is not an event type', path: ['type'] }] };
      const checked = check(known, value);
      return 'issues' in checked ? checked : { value: value as Event };
    },
  },
};

/** Number of a session's first event, `session_started`. In np's design document, the counter starts at 0. */
export const FIRST_EVENT_SEQ = 0;

/** Describes an event in a few words, without reason and time. */
export function describeEvent(event: Event): string {
  const { payload, type } = event;
  switch (type) {
    case 'session_started':
      return `session started in ${payload.dir_path}`;
    case 'session_archived':
      return 'session archived';
    case 'session_unarchived':
      return 'session active again';
    case 'goal_set':
      return `goal set: ${payload.goal.title}`;
    case 'goal_updated':
      return `goal updated: ${payload.goal_after.title}`;
    case 'task_added':
      return `${payload.task.id} added: ${payload.task.title}`;
    case 'task_updated':
      return `${payload.task_id} updated: ${payload.after.title}`;
    case 'task_status_changed':
      return `${payload.task_id} ${statusLabel(payload.status_after)}: ${payload.title}`;
    case 'task_deleted':
      return `${payload.task.id} deleted: ${payload.task.title}`;
    case 'task_moved':
      return `${payload.task_id} moved from ${payload.position_before} to ${payload.position_after}: ${payload.title}`;
    case 'task_noted':
      return `${payload.task_id} noted: ${payload.note}`;
    case 'change_undone':
      return `undone: ${payload.change}`;
    case 'task_claimed':
    default:
      return `${payload.task_id} ${describeClaim(payload)}: ${payload.title}`;
  }
}

function describeClaim({ actor, actor_before: before, claimed_until: until }: PayloadOf<'task_claimed'>): string {
  if (actor === null) return `released by ${before ?? 'nobody'}`;
  const from = before === undefined ? '' : ` (before: ${before})`;
  return `claimed by ${actor}${until === undefined ? '' : ` until ${until}`}${from}`;
}
