import type { Accounts } from '@holdfast/accounts';
import {
  activityObject,
  attentionObject,
  flag,
  foundObject,
  integer,
  list,
  nullable,
  object,
  operationsOf,
  type Overview,
  text,
  time,
  withDefault,
} from '@holdfast/operation';

/** The context for operations across all applications. */
export interface Everything {
  /** The applications, by name. */
  readonly overviews: ReadonlyMap<string, Overview>;
  /** Undefined on the command line, where nobody is signed in. */
  readonly accounts?: Accounts | undefined;
}

const defineOperation = operationsOf<Everything>();

const findInput = {
  q: text('Words that an item contains; parts of words match too', { min: 1, max: 200, label: 'words' }),
  limit: withDefault(integer('Maximum number of results', { min: 1, max: 100, clamp: true, label: 'count' }), 20),
} as const;

const unavailable = list(text(), { summary: 'Applications that did not answer' });

export const find = defineOperation({
  name: 'find',
  summary: 'Find tasks, plans, notes, books and authors in all applications, best match first',
  permission: 'account:read',
  input: findInput,
  output: object({ data: list(foundObject), unavailable }),
  absent: { mcp: "Each application's own tools search that application" },
  run: async () => (await import('../service/find.ts')).find,
});

export const listActivity = defineOperation({
  name: 'activity.list',
  summary: 'List who changed what, across all applications, newest first',
  permission: 'account:read',
  input: {
    limit: withDefault(integer('Maximum number of results', { min: 1, max: 500, clamp: true, label: 'count' }), 100),
  },
  output: object({ data: list(activityObject), unavailable }),
  absent: { mcp: "For people; agents use each application's own tools" },
  run: async () => (await import('../service/find.ts')).listActivity,
});

export const showLinks = defineOperation({
  name: 'link.show',
  summary: 'Show the item that a dashboard page shows, and the items that link to this page',
  permission: 'account:read',
  input: { path: text('Path of the page, for example /plans/ID', { min: 1, max: 2_000 }) },
  output: object({
    target: nullable(foundObject),
    linked_from: list(foundObject, { summary: 'Items whose text contains the address' }),
    unavailable,
  }),
  absent: { cli: 'holdfast find PATH finds the items that link to a page', mcp: 'For people' },
  run: async () => (await import('../service/find.ts')).showLinks,
});

const inboxItem = object({
  ...attentionObject.fields,
  key: text('Identifies the item, for example to snooze it'),
  snoozed_until: nullable(time()),
});

export const showInbox = defineOperation({
  name: 'inbox.show',
  summary: 'List everything that is waiting for a person, across all applications, oldest first',
  permission: 'account:read',
  input: { snoozed: flag('List the snoozed items instead') },
  output: object({ data: list(inboxItem), snoozed: integer('Number of snoozed items'), unavailable }),
  absent: { mcp: "For people; agents use each application's own tools" },
  run: async () => (await import('../service/inbox.ts')).showInbox,
});

export const snoozeItem = defineOperation({
  name: 'inbox.snooze',
  summary: 'Hide an inbox item until a time; without a time, show it again',
  permission: 'account:write',
  input: {
    key: text('Key of the item', { min: 1, max: 2_000 }),
    until: nullable(time('When to show the item again')),
  },
  output: object({ key: text(), snoozed_until: nullable(time()) }),
  absent: { cli: 'Snoozed items belong to an account on the server', mcp: 'For people' },
  run: async () => (await import('../service/inbox.ts')).snoozeItem,
});
