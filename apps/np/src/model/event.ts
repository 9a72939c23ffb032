import { goalShape, taskSnapshotShape } from './session.ts';
import {
  choice,
  count,
  nested,
  nullable,
  object,
  optional,
  type Shape,
  shape,
  type ShapeValue,
  text,
  time,
} from './shape.ts';
import { STATUSES } from './status.ts';

/**
 * The log of a session. Payloads are immutable snapshots, so that a reader can show a change without looking anything
 * up. The first five are the seed's, with its fields; the others are ours, because without them a session that ends, or
 * a task that disappears, would not be seen in the log.
 */

const contentShape = shape({ title: text, description: text, updated_at: time });

const payloadShapes = {
  goal_set: shape({ goal: nested(goalShape) }),
  goal_updated: shape({ goal_before: nested(goalShape), goal_after: nested(goalShape) }),
  task_added: shape({ task: nested(taskSnapshotShape) }),
  task_updated: shape({ task_id: text, before: nested(contentShape), after: nested(contentShape) }),
  task_status_changed: shape({
    task_id: text,
    title: text,
    status_before: choice(STATUSES),
    status_after: choice(STATUSES),
    updated_at: time,
  }),
  session_started: shape({ sid: text, dir_path: text, created_at: time }),
  session_archived: shape({ sid: text, dir_path: text, archived_at: time }),
  task_deleted: shape({ task: nested(taskSnapshotShape) }),
  task_moved: shape({ task_id: text, title: text, position_before: count, position_after: count, updated_at: time }),
  task_claimed: shape({
    task_id: text,
    title: text,
    actor: nullable(text),
    actor_before: optional(text),
    updated_at: time,
  }),
} as const;

export type EventType = keyof typeof payloadShapes;
const EVENT_TYPES = Object.keys(payloadShapes) as readonly EventType[];

export type PayloadOf<Type extends EventType> = ShapeValue<(typeof payloadShapes)[Type]>;

interface EventOf<Type extends EventType> {
  readonly seq: number;
  readonly at: string;
  readonly type: Type;
  readonly reason: string | null;
  readonly cmd: string;
  readonly payload: PayloadOf<Type>;
}

export type Event = { readonly [Type in EventType]: EventOf<Type> }[EventType];

const envelope = shape({
  seq: count,
  at: time,
  type: choice(EVENT_TYPES as readonly [EventType, ...EventType[]]),
  reason: nullable(text),
  cmd: text,
  payload: object,
});

/** The envelope, and below it the payload that belongs to the type. */
export const eventShape: Shape<Event> = {
  fields: envelope.fields,
  '~standard': {
    version: 1,
    vendor: 'np',
    validate(value) {
      const outer = envelope['~standard'].validate(value);
      if ('issues' in outer) return outer;
      const inner = payloadShapes[outer.value.type]['~standard'].validate(outer.value.payload);
      if (!('issues' in inner)) return { value: value as Event };
      return { issues: inner.issues.map(({ message, path = [] }) => ({ message, path: ['payload', ...path] })) };
    },
  },
};

/** The number of `session_started`: the counter is 0 when a session begins, as the seed says, and so is its event. */
export const FIRST_EVENT_SEQ = 0;
