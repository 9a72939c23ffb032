import { integer, list, nullable, number, object, optional, text } from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, maybeText, PEOPLE_ONLY, READ, taskId, WRITE } from './fields.ts';

const considered = list(
  object({
    source: text(),
    name: text(),
    verdict: text('Whether it was used'),
    reason: text(),
    score: number(),
    tokens: integer(),
    bytes: integer(),
    sha256: nullable(text('Hash of the part that was used')),
  }),
  { summary: 'Every part that was considered' },
);

export const assemblePrompt = defineOperation({
  name: 'prompt.assemble',
  summary: 'Show the prompt that a worker would get for a task, and why',
  description:
    'The description, project.md, conventions.md, relevant parts of context/ and of the code, messages, results of ' +
    'earlier tasks, decisions and failures, within the limits of [prompt] in ringmaster.toml. Every assembly is recorded.',
  permission: WRITE,
  input: {
    task: taskId(),
    budget_tokens: optional(integer('Tokens; default: from ringmaster.toml', { min: 500, label: 'tokens' })),
  },
  output: object({
    task_id: text(),
    text: text(),
    tokens: integer(),
    budget_tokens: integer(),
    sha256: text(),
    considered,
  }),
  errors: [ringmasterErrors.TASK_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/prompt/assemble.ts')).previewPrompt,
});

export const recordedPrompt = defineOperation({
  name: 'prompt.show',
  summary: 'Show the prompt that a worker got, in the last turn or a given one',
  permission: READ,
  input: { task: taskId(), iteration: optional(integer('Number of the turn', { min: 1, label: 'number' })) },
  output: object({
    iteration: nullable(integer('Null if no worker got it yet')),
    text: text('Empty if no worker got it yet'),
    purpose: nullable(text('Whether it was assembled to run or only to be shown')),
    sha256: maybeText,
    tokens: nullable(integer()),
    budget_tokens: nullable(integer()),
    considered,
  }),
  errors: [ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.PROMPT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/recorded-prompt.ts')).recordedPrompt,
});
