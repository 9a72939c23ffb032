import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import type { Workspaces } from '../service/workspaces.ts';
import {
  allOf,
  defineOperation,
  eventObject,
  listed,
  MANAGE,
  maybeText,
  NOT_A_TOOL,
  PEOPLE_ONLY,
  project,
  READ,
  WRITE,
} from './fields.ts';
import { projectSummary } from './projects.ts';
import { supervisorObject } from './runs.ts';
import { parkedWorker } from './workers.ts';

const workspaceObject = f.object({
  id: f.text(),
  root: f.text(),
  projects: f.list(projectSummary),
  problem: f.nullable(f.text('Why the workspace cannot be opened; other workspaces are not affected')),
});

export const listWorkspaces = f.operationsOf<Workspaces>()({
  name: 'workspace.list',
  summary: 'List the workspaces on this machine with their projects',
  permission: READ,
  input: {},
  output: f.pageOf(workspaceObject),
  absent: { cli: 'A command uses the workspace of its directory', mcp: NOT_A_TOOL },
  run: async () => {
    const { describeWorkspaces } = await import('../service/workspaces.ts');
    return async (workspaces, _input, { name }) => allOf(await describeWorkspaces(workspaces, name));
  },
});

const addWorkspaceInput = {
  path: f.text('Absolute path of the directory on the server', { min: 1, max: 4_096, label: 'dir' }),
  name: f.text('Name of the first project', { min: 1, max: 200, label: 'name' }),
} as const;
export type AddWorkspaceInput = f.ObjectValue<typeof addWorkspaceInput>;

export const addWorkspace = f.operationsOf<Workspaces>()({
  name: 'workspace.add',
  summary: 'Make a directory a workspace with a first project',
  description: 'Creates ringmaster.toml and .ringmaster/ in the directory. Other files stay unchanged.',
  permission: MANAGE,
  input: addWorkspaceInput,
  output: workspaceObject,
  errors: [ringmasterErrors.WORKSPACE_FOLDER],
  absent: { cli: 'The command `init` does this in its directory', mcp: NOT_A_TOOL },
  run: async () => (await import('../service/workspaces.ts')).addWorkspace,
});

const statusObject = f.object({
  tasks: f.record(f.integer(), 'Number of tasks by status'),
  ready: f.integer(),
  running: f.integer(),
  workers: f.record(f.integer(), 'Number of workers by status'),
  parked_workers: f.list(parkedWorker, {
    summary: 'Workers that get no tasks for now, because their service or program has a problem',
  }),
  open_decisions: f.integer(),
  open_questions: f.integer(),
  unresolved_links: f.integer(),
  pending_merges: f.integer('Number of finished tasks whose work ringmaster will merge'),
  budgets_reached: f.list(f.text(), { summary: 'Daily and project budgets that are used up' }),
  undelivered_notifications: f.integer('Notifications that ringmaster gave up sending'),
  unmerged: f.integer('Finished tasks with work that is not merged'),
  ranks_are_current: f.boolean(),
  last_backup: maybeText,
  revision: f.integer(),
  paused_at: f.nullable(f.text('Time at which all workers were paused')),
  supervisors: f.list(supervisorObject, { summary: 'Processes that run the workers' }),
});
export type Status = f.ValueOf<typeof statusObject>;

export const showStatus = defineOperation({
  name: 'status.show',
  summary: 'Show how many tasks and workers have each status, and how many decisions and questions are open',
  permission: READ,
  input: { project },
  output: statusObject,
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/status.ts')).statusOf,
});

export const showMetrics = defineOperation({
  name: 'metrics.show',
  summary: 'Show the number, duration and cost of attempts per day',
  permission: READ,
  input: {},
  output: f.pageOf(
    f.object({
      day: f.text('Day in UTC'),
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
  summary: 'List events: who changed what, with the values before and after',
  permission: READ,
  input: {
    entity: f.optional(f.text('Only events about this task, worker or project')),
    since: f.optional(f.integer('Only events after this event id', { min: 0, label: 'id' })),
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
  description: 'Repeat to go further back. Does not undo what workers did; use restore for that.',
  permission: WRITE,
  input: {},
  output: f.object({ revision: f.integer(), note: f.text() }),
  errors: [ringmasterErrors.NOTHING_TO_UNDO, ringmasterErrors.UNDO_OVERTAKEN],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/restore.ts')).undo,
});

export const primeAgent = defineOperation({
  name: 'agent.prime',
  summary: 'Print instructions for agents, and the tasks that are ready',
  permission: READ,
  input: { project },
  output: f.object({ text: f.text() }),
  absent: { mcp: 'The server sends instructions when a client connects' },
  run: async () => (await import('../service/status.ts')).primer,
});
