import { choice, list, object, pageOf, text, type ValueOf } from '@holdfast/operation';

import { defineOperation, listed, maybeText, PEOPLE_ONLY, READ } from './fields.ts';

const kinds = [
  'decision',
  'question',
  'review',
  'unmerged',
  'blocked',
  'failed',
  'budget',
  'worker_parked',
  'notification',
] as const;

const inboxItem = object({
  kind: choice(kinds, 'Why a person is needed'),
  id: text('Id of the decision, question, task, worker or notification'),
  text: text('Question, title or problem, in one line'),
  detail: maybeText,
  since: maybeText,
  options: list(text(), { summary: 'Possible answers to a decision or question; empty if any text is accepted' }),
  recommendation: maybeText,
  command: text('Command to run next'),
});
export type InboxItem = ValueOf<typeof inboxItem>;

export const showInbox = defineOperation({
  name: 'inbox.show',
  summary: 'List everything that is waiting for a person',
  permission: READ,
  input: {},
  output: pageOf(inboxItem),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/inbox.ts')).inbox),
});
