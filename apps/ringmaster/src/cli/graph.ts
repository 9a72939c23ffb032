import { defineCommand } from '@holdfast/cli';

import * as operations from '../operations/graph.ts';
import type { TreeNode } from '../service/graph.ts';
import { command, completeTask } from './command.ts';
import { taskColumns } from './tasks.ts';

const complete = { task: completeTask, depends_on: completeTask } as const;

export const dep = defineCommand({
  name: 'dep',
  summary: 'Manage dependencies between tasks',
  commands: [
    command(operations.addDependency, {
      name: 'add',
      arguments: ['task', 'depends_on'],
      short: { type: 't' },
      complete,
      examples: [
        { command: 'ringmaster dep add bd-b bd-a', summary: 'bd-b starts after bd-a' },
        { command: 'ringmaster dep add bd-b bd-a -t conditional-blocks', summary: 'bd-b starts only if bd-a fails' },
        {
          command: 'ringmaster dep add bd-b bd-e -t waits-for --gate any-children',
          summary: 'bd-b starts as soon as any part of bd-e is done',
        },
      ],
      print: ({ task, depends_on: on, created }, page) =>
        page.line(`${task} ${created ? 'now depends' : 'already depended'} on ${on}`),
    }),
    command(operations.removeDependency, {
      name: 'rm',
      arguments: ['task', 'depends_on'],
      short: { type: 't' },
      complete,
      print: ({ task, depends_on: on }, page) => page.line(`${task} no longer depends on ${on}`),
    }),
    command(operations.dependencyTree, {
      name: 'tree',
      arguments: ['task'],
      complete,
      print: (tree, page) => page.lines(treeLines(tree as TreeNode, '')),
    }),
  ],
});

function treeLines({ id, title, status, type, repeated, dependencies }: TreeNode, indent: string): string[] {
  const kind = type === undefined ? '' : ` [${type}]`;
  const line = `${indent}${id} ${title} (${status})${kind}${repeated ? ' …' : ''}`;
  return [line, ...dependencies.flatMap((child) => treeLines(child, `${indent}  `))];
}

export const ready = command(operations.readyTasks, {
  name: 'ready',
  short: { limit: 'n' },
  flags: { labels: 'label' },
  print: ({ data }, page) => {
    if (data.length === 0) page.line('No tasks are ready');
    else page.table(data, taskColumns);
  },
});

export const next = command(operations.nextTask, {
  name: 'next',
  print: (explanation, page) =>
    page.lines(explanation === null ? ['No tasks are ready'] : explanationLines(explanation)),
  exit: (explanation) => (explanation === null ? 3 : undefined),
});

export const why = command(operations.explainTask, {
  name: 'why',
  arguments: ['task'],
  complete,
  print: (explanation, page) => page.lines(explanationLines(explanation)),
});

function explanationLines(one: operations.Explanation): string[] {
  const { terms, queue_position: position, own, combined, inherited_from: heir } = one;
  const title = `${one.id} ${one.title}`;
  if (one.status === 'done') return [title, 'The task is done, so it is no longer ranked.'];
  return [
    title,
    position === null ? 'Cannot start:' : `Position ${position} among the ready tasks; score ${combined.toFixed(3)}`,
    ...one.holds.map((reason) => `  ${reason}`),
    part('tasks that depend on it (PageRank)', terms.pagerank),
    part('paths through it (betweenness)', terms.betweenness),
    part('on the critical path', terms.critical),
    part('manual priority', terms.manual),
    ...(terms.aging === 0 ? [] : [part('waiting time', terms.aging)]),
    `= ${own.toFixed(3)}${heir === null ? '' : `, raised to ${combined.toFixed(3)} by ${heir}, which depends on it`}`,
    ...(one.is_current
      ? []
      : ["The graph has changed since tasks were ranked; run 'ringmaster rank' to rank them again"]),
    ...(one.is_approximate ? ['Betweenness is estimated from a sample'] : []),
  ];
}

function part(name: string, value: number): string {
  return `  ${value.toFixed(3)}  ${name}`;
}

export const queue = command(operations.showQueue, {
  name: 'queue',
  print: ({ data }, page) => {
    if (data.length === 0) return page.line('No tasks are running or ready');
    return page.table(data, [
      { heading: 'TASK', value: ({ task_id }) => task_id },
      { heading: 'SCORE', value: ({ priority_score }) => priority_score.toFixed(3), align: 'right' },
      { heading: 'WORKER', value: ({ worker_id }) => worker_id ?? '' },
      { heading: 'TITLE', value: ({ title }) => title, flexible: true },
    ]);
  },
});

export const graph = command(operations.drawGraph, {
  name: 'graph',
  short: { all: 'a' },
  print: ({ text, nodes, edges }, page) =>
    page.line(text === '' ? JSON.stringify({ nodes, edges }, null, 2) : text.trimEnd()),
});

export const rank = command(operations.rankTasks, {
  name: 'rank',
  print: ({ tasks, links, is_approximate: isApproximate, sampled_tasks: sampled }, page) =>
    page.line(
      `Ranked ${tasks} tasks with ${links} links${isApproximate ? `, betweenness from ${sampled} of them` : ''}`,
    ),
});
