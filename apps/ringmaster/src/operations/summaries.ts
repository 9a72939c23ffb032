import { type GivenObject, integer, nullable, object, optional, optionalList, pageOf, text } from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, maybeText, PEOPLE_ONLY, project, READ, taskId, WRITE } from './fields.ts';

const summaryObject = object({
  id: integer(),
  project_id: text(),
  task_id: maybeText,
  message_range_start: integer(),
  message_range_end: integer(),
  summary: text(),
  key_decisions: maybeText,
  token_count: nullable(integer()),
  created_at: text(),
});

const newSummary = {
  text: optional(text('Text of the summary')),
  project,
  task: optional(taskId('Only messages about this task')),
  from: optional(integer('First message to summarise', { min: 1, label: 'id' })),
  to: optional(integer('Last message to summarise', { min: 1, label: 'id' })),
  decisions: optionalList(text('Decision recorded in these messages')),
} as const;
export type NewSummary = GivenObject<typeof newSummary>;

export const addSummary = defineOperation({
  name: 'summary.add',
  summary: 'Summarise messages that no summary covers yet',
  description: 'If you give no text, the command from [summaries] in ringmaster.toml writes the summary.',
  permission: WRITE,
  input: newSummary,
  output: summaryObject,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.RANGE_INVALID],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/chat.ts')).addSummary,
});

export const listSummaries = defineOperation({
  name: 'summary.list',
  summary: 'List the summaries of a project',
  permission: READ,
  input: { project },
  output: pageOf(summaryObject),
  errors: [ringmasterErrors.PROJECT_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/chat.ts')).allSummaries),
});
