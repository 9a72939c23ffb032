import { defineCommand } from '@holdfast/cli';

import { settingNames } from '../../model/project-settings.ts';
import { shared } from './shared.ts';

export const init = defineCommand({
  name: 'init',
  summary: 'Begin in this directory: .ringmaster and ringmaster.toml',
  description: 'Harmless to repeat: what is there already is left as it is.',
  inherits: shared,
  options: { name: { type: 'string', summary: 'Also make a first project of this name', short: 'n' } },
  examples: [{ command: 'ringmaster init --name "My service"', summary: 'With a project' }],
  load: () => import('../commands/init.ts'),
});

const settings = [
  defineCommand({
    name: 'show',
    summary: 'A project and its settings, with where they come from',
    inherits: shared,
    arguments: [{ name: 'id', summary: 'Which project; else the one of --project, or the only one', optional: true }],
    load: () => import('../commands/project-show.ts'),
  }),
  defineCommand({
    name: 'set',
    summary: 'Set for one project what ringmaster.toml says for all',
    description: 'Attempts that are begun from now on go by it. An empty text as a command means: none.',
    inherits: shared,
    arguments: [
      { name: 'setting', summary: 'Which', choices: settingNames },
      { name: 'value', summary: 'What it is; a command word by word', variadic: true },
    ],
    examples: [
      { command: 'ringmaster project set test_command -- npm test --silent', summary: 'The tests of this project' },
      { command: 'ringmaster project set repository ../other', summary: 'Its work is in another repository' },
      { command: 'ringmaster project set auto_merge true', summary: 'What is done is merged at once' },
    ],
    load: () => import('../commands/project-set.ts'),
  }),
  defineCommand({
    name: 'unset',
    summary: 'Let ringmaster.toml count again',
    inherits: shared,
    arguments: [{ name: 'settings', summary: 'Which', choices: settingNames, variadic: true }],
    load: () => import('../commands/project-unset.ts'),
  }),
];

export const project = defineCommand({
  name: 'project',
  summary: 'Projects',
  commands: [
    defineCommand({
      name: 'add',
      aliases: ['create'],
      summary: 'Make a project',
      inherits: shared,
      arguments: [{ name: 'name', summary: 'What it is called' }],
      options: {
        id: { type: 'string', summary: 'Its id; made from the name if left out' },
        description: { type: 'string', summary: 'What it is about', short: 'd' },
        tech: { type: 'string', summary: 'A part of its tech stack', short: 't', multiple: true },
      },
      load: () => import('../commands/project-add.ts'),
    }),
    defineCommand({
      name: 'list',
      aliases: ['ls'],
      summary: 'Show all projects',
      inherits: shared,
      load: () => import('../commands/project-list.ts'),
    }),
    ...settings,
  ],
});

export const status = defineCommand({
  name: 'status',
  summary: 'How things stand',
  inherits: shared,
  load: () => import('../commands/status.ts'),
});

export const events = defineCommand({
  name: 'events',
  summary: 'What happened, by whom, with before and after',
  inherits: shared,
  arguments: [{ name: 'entity', summary: 'Only about this task, worker or project', optional: true }],
  options: {
    since: { type: 'integer', summary: 'Only after this event', min: 0 },
    type: { type: 'string', summary: 'Only of this type' },
    limit: { type: 'integer', summary: 'How many at most', short: 'n', default: 50, min: 1 },
    follow: { type: 'boolean', summary: 'Go on as things happen', short: 'f' },
  },
  examples: [{ command: 'ringmaster events --follow --json', summary: 'For a program that watches' }],
  load: () => import('../commands/events.ts'),
});

export const undo = defineCommand({
  name: 'undo',
  summary: 'Take back the last change that a person made',
  description: 'Again and again goes further back. What workers did stays done; see restore for everything else.',
  inherits: shared,
  load: () => import('../commands/undo.ts'),
});

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the queue to an agent over standard input and output (Model Context Protocol)',
  inherits: shared,
  load: () => import('../commands/mcp.ts'),
});

export const prime = defineCommand({
  name: 'prime',
  summary: 'Tell an agent how to work with ringmaster, and what there is to do',
  inherits: shared,
  load: () => import('../commands/prime.ts'),
});
