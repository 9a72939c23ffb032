import { defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

const task = { type: 'string', summary: 'About this task', value: 'task' } as const;

export const chat = defineCommand({
  name: 'chat',
  summary: 'What was said about a project or a task',
  inherits: shared,
  arguments: [{ name: 'text', summary: 'Something to add; - reads standard input', optional: true }],
  options: {
    task,
    role: { type: 'string', summary: 'Who says it', choices: ['user', 'assistant', 'system'], default: 'user' },
    media: { type: 'string', summary: 'A recording or picture of it', value: 'file', complete: 'file' },
    limit: { type: 'integer', summary: 'How many to show', short: 'n', default: 50, min: 1 },
  },
  load: () => import('../commands/chat.ts'),
});

export const summary = defineCommand({
  name: 'summary',
  summary: 'Summaries of what was said',
  commands: [
    defineCommand({
      name: 'add',
      summary: 'Summarise what no summary covers yet',
      description: 'Without a text, the command named in ringmaster.toml writes it ([summaries] command).',
      inherits: shared,
      arguments: [{ name: 'text', summary: 'The summary; - reads standard input', optional: true }],
      options: {
        task,
        from: { type: 'integer', summary: 'First message', min: 1 },
        to: { type: 'integer', summary: 'Last message', min: 1 },
        decision: { type: 'string', summary: 'Something that was decided', multiple: true },
      },
      load: () => import('../commands/summary-add.ts'),
    }),
    defineCommand({
      name: 'list',
      aliases: ['ls'],
      summary: 'Show all summaries',
      inherits: shared,
      load: () => import('../commands/summary-list.ts'),
    }),
  ],
});
