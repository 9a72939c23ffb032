import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  operationsOf,
  optional,
  pageOf,
  record,
  text,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import type { Workspaces } from '../service/workspaces.ts';
import {
  allOf,
  defineOperation,
  eventObject,
  listed,
  maybeText,
  NOT_A_TOOL,
  PEOPLE_ONLY,
  project,
  READ,
  WRITE,
} from './fields.ts';
import { projectSummary } from './projects.ts';

export const listWorkspaces = operationsOf<Workspaces>()({
  name: 'workspace.list',
  summary: 'List the workspaces of this machine, with their projects',
  permission: READ,
  input: {},
  output: pageOf(
    object({
      id: text(),
      root: text(),
      projects: list(projectSummary),
      problem: nullable(text('Why it cannot be opened; other workspaces are not affected')),
    }),
  ),
  absent: { cli: 'A command works in the directory where it runs', mcp: NOT_A_TOOL },
  run: async () => {
    const { describeWorkspaces } = await import('../service/workspaces.ts');
    return async (workspaces, _input, { name }) => allOf(await describeWorkspaces(workspaces, name));
  },
});

const statusObject = object({
  tasks: record(integer(), 'By status'),
  ready: integer(),
  running: integer(),
  workers: record(integer(), 'By status'),
  open_decisions: integer(),
  open_questions: integer(),
  unresolved_links: integer(),
  pending_merges: integer('Finished tasks whose work still has to be merged'),
  unmerged: integer('Finished tasks with work that is not merged'),
  ranks_are_current: boolean(),
  last_backup: maybeText,
  revision: integer(),
  paused_at: nullable(text('When all workers were paused')),
});
export type Status = ValueOf<typeof statusObject>;

export const showStatus = defineOperation({
  name: 'status.show',
  summary: 'Show how many tasks, workers and open questions there are',
  permission: READ,
  input: { project },
  output: statusObject,
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/status.ts')).statusOf,
});

export const showMetrics = defineOperation({
  name: 'metrics.show',
  summary: 'Show attempts by day: how many, how long, at what cost',
  permission: READ,
  input: {},
  output: pageOf(
    object({
      day: text('In UTC'),
      succeeded: integer(),
      failed: integer(),
      other: integer(),
      average_seconds: nullable(number()),
      cost_usd: nullable(number()),
    }),
  ),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/status.ts')).dailyMetrics),
});

export const listEvents = defineOperation({
  name: 'event.list',
  summary: 'List events: who changed what, with before and after',
  permission: READ,
  input: {
    entity: optional(text('Only events of this task, worker or project')),
    since: optional(integer('Only events after this one', { min: 0, label: 'id' })),
    type: optional(text('Only events of this type')),
    limit: withDefault(integer('Maximum number of results', { min: 1, max: 500, clamp: true, label: 'count' }), 100),
  },
  output: pageOf(eventObject),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/status.ts')).allEvents),
});

export const undoChange = defineOperation({
  name: 'change.undo',
  summary: 'Undo the last change that a person made',
  description: 'Repeat it to go further back. It does not undo what workers did; see restore for everything else.',
  permission: WRITE,
  input: {},
  output: object({ revision: integer(), note: text() }),
  errors: [ringmasterErrors.NOTHING_TO_UNDO, ringmasterErrors.UNDO_OVERTAKEN],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/restore.ts')).undo,
});

export const primeAgent = defineOperation({
  name: 'agent.prime',
  summary: 'Tell an agent how to work with ringmaster, and what there is to do',
  permission: READ,
  input: { project },
  output: object({ text: text() }),
  absent: { mcp: 'The server sends instructions when a client connects' },
  run: async () => (await import('../service/status.ts')).primer,
});
