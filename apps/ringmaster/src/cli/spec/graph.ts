import { defineCommand } from '@holdfast/cli';

import { gates } from '../../model/dependency.ts';
import { shared, taskArgument } from './shared.ts';

const type = { type: 'string', summary: 'blocks, waits-for, conditional-blocks, related, …', short: 't' } as const;
const limit = { type: 'integer', summary: 'How many at most', short: 'n', default: 100, min: 1 } as const;

export const dep = defineCommand({
  name: 'dep',
  summary: 'What depends on what',
  commands: [
    defineCommand({
      name: 'add',
      summary: 'Let a task wait for another',
      inherits: shared,
      arguments: [taskArgument, { name: 'on', summary: 'What it waits for' }],
      options: {
        type,
        gate: { type: 'string', summary: 'With waits-for: which children of it have to be done', choices: [...gates] },
      },
      examples: [
        { command: 'ringmaster dep add bd-b bd-a', summary: 'bd-b waits for bd-a' },
        { command: 'ringmaster dep add bd-b bd-a -t conditional-blocks', summary: 'bd-b runs only if bd-a fails' },
        {
          command: 'ringmaster dep add bd-b bd-e -t waits-for --gate any-children',
          summary: 'bd-b waits for the first part of bd-e',
        },
      ],
      load: () => import('../commands/dep-add.ts'),
    }),
    defineCommand({
      name: 'rm',
      summary: 'Let it wait no longer',
      inherits: shared,
      arguments: [taskArgument, { name: 'on', summary: 'What it waits for' }],
      options: { type },
      load: () => import('../commands/dep-rm.ts'),
    }),
    defineCommand({
      name: 'tree',
      summary: 'What a task waits for, and what that waits for',
      inherits: shared,
      arguments: [taskArgument],
      load: () => import('../commands/dep-tree.ts'),
    }),
  ],
});

export const ready = defineCommand({
  name: 'ready',
  summary: 'Work that may begin now, the best first',
  inherits: shared,
  options: { limit, allTypes: { type: 'boolean', summary: 'Epics, decisions and questions too' } },
  load: () => import('../commands/ready.ts'),
});

export const next = defineCommand({
  name: 'next',
  summary: 'The one task to do now, and why, without taking it',
  inherits: shared,
  load: () => import('../commands/next.ts'),
});

export const why = defineCommand({
  name: 'why',
  summary: 'Why a task ranks where it does, or why it cannot begin',
  inherits: shared,
  arguments: [taskArgument],
  load: () => import('../commands/why.ts'),
});

export const queue = defineCommand({
  name: 'queue',
  summary: 'What is being worked on, and what comes next',
  inherits: shared,
  load: () => import('../commands/queue.ts'),
});

export const graph = defineCommand({
  name: 'graph',
  summary: 'Draw the graph of tasks',
  inherits: shared,
  options: {
    format: { type: 'string', summary: 'How', choices: ['mermaid', 'dot', 'json'], default: 'mermaid' },
    all: { type: 'boolean', summary: 'Finished work too', short: 'a' },
  },
  load: () => import('../commands/graph.ts'),
});

export const rank = defineCommand({
  name: 'rank',
  summary: 'Rank all unfinished work anew',
  inherits: shared,
  load: () => import('../commands/rank.ts'),
});
