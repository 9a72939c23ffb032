import { defineCommand } from '@holdfast/cli';

import { shared, taskArgument } from './shared.ts';

const about = { ...taskArgument, summary: 'The task it is about', optional: true } as const;
const question = { name: 'question', summary: 'What has to be known', optional: true } as const;
const common = {
  list: { type: 'boolean', summary: 'Show the open ones instead' },
  context: { type: 'string', summary: 'What one has to know to answer' },
  option: { type: 'string', summary: 'A possible answer', short: 'o', multiple: true },
} as const;

/** One for both: the build rewrites an import once for every place that has it. */
const loadInquire = () => import('../commands/inquire.ts');

export const decide = defineCommand({
  name: 'decide',
  summary: 'Ask for a decision: the task waits for it',
  inherits: shared,
  arguments: [about, question],
  options: {
    ...common,
    recommendation: { type: 'string', summary: 'What you would do' },
    kind: { type: 'string', summary: 'Set by the command', default: 'decision', hidden: true },
  },
  load: loadInquire,
});

export const ask = defineCommand({
  name: 'ask',
  summary: 'Ask a question: the task goes on meanwhile',
  inherits: shared,
  arguments: [about, question],
  options: {
    ...common,
    urgency: { type: 'string', summary: 'How soon', choices: ['low', 'medium', 'high'] },
    default: { type: 'string', summary: 'What is assumed until then' },
    kind: { type: 'string', summary: 'Set by the command', default: 'question', hidden: true },
  },
  load: loadInquire,
});

export const answer = defineCommand({
  name: 'answer',
  aliases: ['resolve'],
  summary: 'Answer a question or make a decision',
  inherits: shared,
  arguments: [
    { name: 'inquiry', summary: 'Its id' },
    { name: 'text', summary: 'The answer' },
  ],
  load: () => import('../commands/answer.ts'),
});
