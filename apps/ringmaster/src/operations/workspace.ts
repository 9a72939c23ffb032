import * as f from '@holdfast/operation';

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

export const listWorkspaces = f.operationsOf<Workspaces>()({
  name: 'workspace.list',
  summary: 'List the workspaces of this machine, with their projects',
  permission: READ,
  input: {},
  output: f.pageOf(
    f.object({
      id: f.text(),
      root: f.text(),
      projects: f.list(projectSummary),
      problem: f.nullable(f.text('Why it cannot be opened; other workspaces are not affected')),
    }),
  ),
  absent: { cli: 'A command works in the directory where it runs', mcp: NOT_A_TOOL },
  run: async () => {
    const { describeWorkspaces } = await import('../service/workspaces.ts');
    return async (workspaces, _input, { name }) => allOf(await describeWorkspaces(workspaces, name));
  },
});

const statusObject = f.object({
  tasks: f.record(f.integer(), 'By status'),
  ready: f.integer(),
  running: f.integer(),
  workers: f.record(f.integer(), 'By status'),
  open_decisions: f.integer(),
  open_questions: f.integer(),
  unresolved_links: f.integer(),
  pending_merges: f.integer('Finished tasks whose work still has to be merged'),
  unmerged: f.integer('Finished tasks with work that is not merged'),
  ranks_are_current: f.boolean(),
  last_backup: maybeText,
  revision: f.integer(),
  paused_at: f.nullable(f.text('When all workers were paused')),
});
export type Status = f.ValueOf<typeof statusObject>;

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
  output: f.pageOf(
    f.object({
      day: f.text('In UTC'),
      succeeded: f.integer(),
      failed: f.integer(),
      other: f.integer(),
      average_seconds: f.nullable(f.number()),
      cost_usd: f.nullable(f.number()),
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
    entity: f.optional(f.text('Only events of this task, worker or project')),
    since: f.optional(f.integer('Only events after this one', { min: 0, label: 'id' })),
    type: f.optional(f.text('Only events of this type')),
    limit: f.withDefault(
      f.integer('Maximum number of results', { min: 1, max: 500, clamp: true, label: 'count' }),
      100,
    ),
  },
  output: f.pageOf(eventObject),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/status.ts')).allEvents),
});

export const undoChange = defineOperation({
  name: 'change.undo',
  summary: 'Undo the last change that a person made',
  description: 'Repeat it to go further back. It does not undo what workers did; see restore for everything else.',
  permission: WRITE,
  input: {},
  output: f.object({ revision: f.integer(), note: f.text() }),
  errors: [ringmasterErrors.NOTHING_TO_UNDO, ringmasterErrors.UNDO_OVERTAKEN],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/restore.ts')).undo,
});

export const primeAgent = defineOperation({
  name: 'agent.prime',
  summary: 'Tell an agent how to work with ringmaster, and what there is to do',
  permission: READ,
  input: { project },
  output: f.object({ text: f.text() }),
  absent: { mcp: 'The server sends instructions when a client connects' },
  run: async () => (await import('../service/status.ts')).primer,
});
