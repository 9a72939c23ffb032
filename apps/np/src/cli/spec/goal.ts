import { defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';

const set = defineCommand({
  name: 's',
  aliases: ['set'],
  summary: 'Set the goal',
  options: {
    title: { type: 'string', short: 't', summary: 'What is to be reached, or - for standard input', required: true },
    description: { type: 'string', short: 'd', summary: 'Details and references, or -', default: '' },
    reason: { type: 'string', short: 'r', summary: 'Why' },
  },
  inherits: sharedOptions,
  load: () => import('../commands/goal-set.ts'),
});

const update = defineCommand({
  name: 'u',
  aliases: ['update'],
  summary: 'Reword the goal, which requires a reason',
  options: {
    title: { type: 'string', short: 't', summary: 'New title, or - for standard input' },
    description: { type: 'string', short: 'd', summary: 'New description, or -' },
    reason: { type: 'string', short: 'r', summary: 'Why' },
  },
  inherits: sharedOptions,
  load: () => import('../commands/goal-update.ts'),
});

export const goalCommand = defineCommand({
  name: 'g',
  aliases: ['goal'],
  summary: 'Show the goal',
  inherits: sharedOptions,
  commands: [set, update],
  load: () => import('../commands/goal-show.ts'),
});
