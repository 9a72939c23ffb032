import {
  boolean,
  choice,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  pageOf,
  text,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';

import { gates } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, maybeText, PEOPLE_ONLY, project, READ, taskId, WRITE } from './fields.ts';

const { DEPENDENCY_CYCLE, DEPENDENCY_NOT_FOUND, PROJECT_NOT_FOUND, TASK_NOT_FOUND } = ringmasterErrors;

const ends = { task: taskId(), depends_on: taskId('Task that must finish first') } as const;
const type = optional(text('blocks, waits-for, conditional-blocks, related, …'));

export const addDependency = defineOperation({
  name: 'dependency.add',
  summary: 'Let a task depend on another',
  permission: WRITE,
  input: { ...ends, type, gate: optional(choice(gates, 'With waits-for: which of its parts must be done')) },
  output: object({ task: text(), depends_on: text(), type: text(), created: boolean('False if it was there already') }),
  errors: [TASK_NOT_FOUND, DEPENDENCY_CYCLE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).addDependency,
});

export const removeDependency = defineOperation({
  name: 'dependency.remove',
  summary: 'Remove a dependency',
  permission: WRITE,
  input: { ...ends, type },
  output: object({ task: text(), depends_on: text() }),
  errors: [TASK_NOT_FOUND, DEPENDENCY_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).removeDependency,
});

export const dependencyTree = defineOperation({
  name: 'dependency.tree',
  summary: 'Show what a task depends on, level by level',
  permission: READ,
  input: { task: taskId() },
  output: object({
    id: text(),
    title: text(),
    status: text(),
    dependencies: list({ kind: 'json' }, { summary: 'Nodes of the same form, with the type of the link' }),
  }),
  errors: [TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).dependencyTree,
});

const explanation = object({
  id: text(),
  title: text(),
  status: text(),
  is_ready: boolean(),
  queue_position: nullable(integer('1 is claimed next')),
  terms: object(
    { pagerank: number(), betweenness: number(), critical: number(), manual: number(), aging: number() },
    { summary: 'Weighted parts of its own score' },
  ),
  own: number(),
  combined: number(),
  inherited_from: maybeText,
  score: number(),
  holds: list(text(), { summary: 'Why it cannot start' }),
  is_current: boolean('False if the graph changed since tasks were ranked'),
  is_approximate: boolean('Betweenness was estimated from a sample'),
});

export type Explanation = ValueOf<typeof explanation>;

export const explainTask = defineOperation({
  name: 'task.explain',
  summary: 'Explain the position of a task in the queue, or why it cannot start',
  permission: READ,
  input: { task: taskId() },
  output: explanation,
  errors: [TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/ready.ts')).why,
});

export const nextTask = defineOperation({
  name: 'task.next',
  summary: 'Show which task a claim would take now, and why, without taking it',
  permission: READ,
  input: { project },
  output: nullable(explanation),
  errors: [PROJECT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/ready.ts')).nextTask,
});

export const readyTasks = defineOperation({
  name: 'task.ready',
  summary: 'List tasks that can start now, best first',
  permission: READ,
  input: {
    project,
    limit: withDefault(integer('Maximum number of results', { min: 1, max: 10_000, label: 'count' }), 100),
    all_types: flag('Include epics, decisions and questions'),
  },
  output: pageOf(
    object({
      id: text(),
      title: text(),
      type: text(),
      priority: text(),
      project_id: text(),
      parent_id: maybeText,
      combined_priority: number(),
    }),
  ),
  errors: [PROJECT_NOT_FOUND],
  run: listed(async () => (await import('../service/ready.ts')).readyTasks),
});

export const showQueue = defineOperation({
  name: 'queue.list',
  summary: 'List running tasks, then those that can start, best first',
  permission: READ,
  input: {},
  output: pageOf(
    object({
      task_id: text(),
      title: text(),
      priority_score: number(),
      ready_at: text(),
      assigned_at: maybeText,
      worker_id: maybeText,
    }),
  ),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/ready.ts')).showQueue),
});

export const drawGraph = defineOperation({
  name: 'graph.draw',
  summary: 'Draw the graph of tasks',
  description: 'An edge leads from a task to the one it depends on.',
  permission: READ,
  input: {
    project,
    all: flag('Include finished tasks'),
    format: withDefault(choice(['mermaid', 'dot', 'json'], 'Format of the drawing'), 'mermaid'),
  },
  output: object({
    nodes: list(
      object({
        id: text(),
        title: text(),
        status: text(),
        type: text(),
        priority: text(),
        parent_id: maybeText,
        combined_priority: number(),
        on_critical_path: boolean(),
      }),
    ),
    edges: list(object({ from: text(), to: text(), type: text() })),
    text: text('The drawing; empty for the format json'),
  }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).drawGraph,
});

export const rankTasks = defineOperation({
  name: 'graph.rank',
  summary: 'Rank all unfinished tasks again',
  permission: WRITE,
  input: {},
  output: object({
    graph_version: integer(),
    computed_at: text(),
    duration_ms: number(),
    tasks: integer(),
    links: integer(),
    is_approximate: boolean(),
    sampled_tasks: integer(),
  }),
  absent: PEOPLE_ONLY,
  run: async () => {
    const { rank } = await import('../service/rank.ts');
    return async (rm) => {
      const run = await rank(rm);
      return { ...run, is_approximate: run.is_approximate === 1 };
    };
  },
});
