import * as f from '@holdfast/operation';

import { gates } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import {
  defineOperation,
  labelFilter,
  listed,
  maybeText,
  PEOPLE_ONLY,
  project,
  READ,
  taskId,
  WRITE,
} from './fields.ts';

const { DEPENDENCY_CYCLE, DEPENDENCY_NOT_FOUND, PROJECT_NOT_FOUND, TASK_NOT_FOUND } = ringmasterErrors;

const ends = { task: taskId(), depends_on: taskId('Task that must finish first') } as const;
const type = f.optional(f.text('Type of the dependency: blocks, waits-for, conditional-blocks, related, …'));

export const addDependency = defineOperation({
  name: 'dependency.add',
  summary: 'Make a task depend on another',
  permission: WRITE,
  input: {
    ...ends,
    type,
    gate: f.optional(f.choice(gates, 'For the type waits-for: whether all parts must be done, or any')),
  },
  output: f.object({
    task: f.text(),
    depends_on: f.text(),
    type: f.text(),
    created: f.boolean('False if the dependency already existed'),
  }),
  errors: [TASK_NOT_FOUND, DEPENDENCY_CYCLE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).addDependency,
});

export const removeDependency = defineOperation({
  name: 'dependency.remove',
  summary: 'Remove a dependency',
  permission: WRITE,
  input: { ...ends, type },
  output: f.object({ task: f.text(), depends_on: f.text() }),
  errors: [TASK_NOT_FOUND, DEPENDENCY_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).removeDependency,
});

export const dependencyTree = defineOperation({
  name: 'dependency.tree',
  summary: 'Show what a task depends on, level by level',
  permission: READ,
  input: { task: taskId() },
  output: f.object({
    id: f.text(),
    title: f.text(),
    status: f.text(),
    dependencies: f.list({ kind: 'json' }, { summary: 'Tree nodes with the same fields and the dependency type' }),
  }),
  errors: [TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).dependencyTree,
});

const explanation = f.object({
  id: f.text(),
  title: f.text(),
  status: f.text(),
  is_ready: f.boolean(),
  queue_position: f.nullable(f.integer('Position in the queue; 1 is claimed next')),
  terms: f.object(
    { pagerank: f.number(), betweenness: f.number(), critical: f.number(), manual: f.number(), aging: f.number() },
    { summary: 'Weighted parts of `own`, which is the score without the part inherited from other tasks' },
  ),
  own: f.number(),
  combined: f.number('Score by which tasks are ranked; 0 for a finished task'),
  inherited_from: maybeText,
  holds: f.list(f.text(), { summary: 'Why the task cannot start' }),
  is_current: f.boolean('False if the graph has changed since tasks were ranked'),
  is_approximate: f.boolean('True if betweenness was estimated from a sample'),
});

export type Explanation = f.ValueOf<typeof explanation>;

export const explainTask = defineOperation({
  name: 'task.explain',
  summary: 'Explain the queue position of a task, or why it cannot start',
  permission: READ,
  input: { task: taskId() },
  output: explanation,
  errors: [TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/ready.ts')).why,
});

export const nextTask = defineOperation({
  name: 'task.next',
  summary: 'Show which task would be claimed next, and why, without claiming it',
  permission: READ,
  input: { project },
  output: f.nullable(explanation),
  errors: [PROJECT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/ready.ts')).nextTask,
});

export const readyTasks = defineOperation({
  name: 'task.ready',
  summary: 'List tasks that can start now, highest score first',
  permission: READ,
  input: {
    project,
    labels: labelFilter,
    limit: f.withDefault(f.integer('Maximum number of results', { min: 1, max: 10_000, label: 'count' }), 100),
    all_types: f.flag('Include epics, decisions and questions'),
  },
  output: f.pageOf(
    f.object({
      id: f.text(),
      title: f.text(),
      type: f.text(),
      priority: f.text(),
      project_id: f.text(),
      parent_id: maybeText,
      combined_priority: f.number(),
    }),
  ),
  errors: [PROJECT_NOT_FOUND],
  run: listed(async () => (await import('../service/ready.ts')).readyTasks),
});

export const showQueue = defineOperation({
  name: 'queue.list',
  summary: 'List running tasks, then tasks that can start, highest score first',
  permission: READ,
  input: {},
  output: f.pageOf(
    f.object({
      task_id: f.text(),
      title: f.text(),
      priority_score: f.number(),
      ready_at: f.text(),
      assigned_at: maybeText,
      worker_id: maybeText,
    }),
  ),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/ready.ts')).showQueue),
});

export const drawGraph = defineOperation({
  name: 'graph.draw',
  summary: 'Draw the task graph',
  description: 'Each edge leads from a task to a task that it depends on.',
  permission: READ,
  input: {
    project,
    all: f.flag('Include finished tasks'),
    format: f.withDefault(f.choice(['mermaid', 'dot', 'json'], 'Output format'), 'mermaid'),
  },
  output: f.object({
    nodes: f.list(
      f.object({
        id: f.text(),
        title: f.text(),
        status: f.text(),
        type: f.text(),
        priority: f.text(),
        parent_id: maybeText,
        combined_priority: f.number(),
        on_critical_path: f.boolean(),
      }),
    ),
    edges: f.list(f.object({ from: f.text(), to: f.text(), type: f.text() })),
    text: f.text('The graph in the requested format; empty for json'),
  }),
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/graph.ts')).drawGraph,
});

export const rankTasks = defineOperation({
  name: 'graph.rank',
  summary: 'Rank all unfinished tasks again',
  permission: WRITE,
  input: {},
  output: f.object({
    graph_version: f.integer(),
    computed_at: f.text(),
    duration_ms: f.number(),
    tasks: f.integer(),
    links: f.integer(),
    is_approximate: f.boolean(),
    sampled_tasks: f.integer(),
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
