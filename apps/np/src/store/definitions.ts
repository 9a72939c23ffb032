import { counter, log, record } from '@holdfast/keyspace';
import { toNanoseconds } from '../model/clock.ts';
import { type Event, eventSchema } from '../model/event.ts';
import {
  goalSchema,
  noteSchema,
  orderOf,
  type Session,
  sessionSchema,
  statsSchema,
  type Task,
  taskSchema,
} from '../model/plan.ts';

/** The keyspace of np, with the keys of np's design document. All derived keys are indexes of the records. */

const isActive = ({ state }: Session): boolean => state === 'active';
const archivedAt = { ts: ({ archived_at: at }: Session) => (at === null ? null : toNanoseconds(at)) };

export const sessions = record('s/{sid}/meta', sessionSchema, {
  indexes: {
    activeByDirectory: { key: 'dir/{dir_hash}/active', value: '{sid}', unique: true, when: isActive },
    active: { key: 'idx/active/{sid}', value: '{dir_hash}', when: isActive },
    archived: { key: 'idx/archived/{ts}/{sid}', value: '{dir_hash}', from: archivedAt },
    archivedByDirectory: { key: 'dir/{dir_hash}/archived/{ts}/{sid}', from: archivedAt },
  },
});

export const goals = record('s/{sid}/goal', goalSchema);

export const tasks = record('s/{sid}/task/{id}', taskSchema, {
  indexes: {
    status: 's/{sid}/idx/status/{status}/{id}',
    order: {
      key: 's/{sid}/idx/task_order/{order:u64}',
      value: '{id}',
      unique: true,
      from: { order: (task: Task) => orderOf(task) },
    },
  },
});

export const stats = record('s/{sid}/stats', statsSchema);

export const events = log('s/{sid}/evt/{seq}', eventSchema, {
  counter: 's/{sid}/meta/evt_seq',
  counterEncoding: 'u64be',
  indexes: { feed: { key: 'idx/events/{ts}/{sid}/{seq}', from: { ts: (event: Event) => toNanoseconds(event.at) } } },
});

/** np's design document does not define notes. `seq` is the number of the event that added the note. */
export const notes = record('s/{sid}/note/{id}/{seq}', noteSchema);

/** Stored as a counter, because repair sets an unreadable counter aside. The next start then repeats the migrations. */
const schemaVersion = counter('meta/schema_version');

export const schema = { schemaVersion, sessions, goals, tasks, stats, events, notes } as const;
