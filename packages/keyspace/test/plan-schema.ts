import { z } from 'zod';

import { counter, log, record, text } from '../src/index.ts';

/** A small schema that uses every feature. */
export const Task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'done']),
  tags: z.array(z.string()),
  owner: z.string().nullable(),
});
export type Task = z.infer<typeof Task>;

const User = z.object({ id: z.string(), name: z.string(), active: z.boolean() });
const Event = z.object({ seq: z.number(), what: z.string() });

export const tasks = record('s/{sid}/task/{id}', Task, {
  indexes: {
    status: 's/{sid}/idx/status/{status}/{id}',
    tag: { key: 's/{sid}/idx/tag/{tags}/{id}', value: '1' },
    owner: 's/{sid}/idx/owner/{owner}/{id}',
  },
});

export const users = record('u:{id}', User, {
  indexes: {
    name: {
      key: 'idx:user:name:{name}',
      value: '{id}',
      unique: true,
      when: (user) => user.active,
      from: { name: (user) => user.name.toLowerCase() },
    },
  },
});

export const events = log('s/{sid}/evt/{seq}', Event, {
  counter: 's/{sid}/meta/evt_seq',
  counterEncoding: 'u64be',
  indexes: { feed: 'idx/events/{sid}/{seq}', what: 'idx/what/{what}/{sid}/{seq}' },
});

export const plays = counter('stats:plays:{id}');
export const version = text('meta/schema_version');

export const schema = { tasks, users, events, plays, version };

export function task(id: string, parts: Partial<Task> = {}): Task {
  return { id, title: `Task ${id}`, status: 'pending', tags: [], owner: null, ...parts };
}
