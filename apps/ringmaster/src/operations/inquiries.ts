import { choice, flag, type GivenObject, integer, optional, optionalList, pageOf, text } from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, inquiryObject, listed, PEOPLE_ONLY, READ, taskId, taskObject, WRITE } from './fields.ts';

const kinds = ['decision', 'question'] as const;

const newInquiry = {
  task: taskId('Task that the question is about'),
  question: text('The question', { min: 1, max: 10_000 }),
  kind: choice(kinds, 'Decision or question'),
  context: optional(text('Background for the answer', { max: 65_536 })),
  options: optionalList(text('Possible answer'), { max: 20 }),
  recommendation: optional(text('Recommended answer')),
  urgency: optional(choice(['low', 'medium', 'high'], 'How soon the answer is needed')),
  default_answer: optional(text('Answer to assume until a person answers')),
} as const;
export type NewInquiry = GivenObject<typeof newInquiry>;

const askedInquiry = {
  ...newInquiry,
  token: optional(
    integer(
      'Token that claim returned. With the token, a decision ends your claim, and the answer makes the task ready ' +
        'again',
      {
        min: 1,
      },
    ),
  ),
} as const;
export type AskedInquiry = GivenObject<typeof askedInquiry>;

export const askPerson = defineOperation({
  name: 'inquiry.add',
  summary: 'Ask a person: a decision blocks the task until it is answered; a question does not block it',
  permission: WRITE,
  input: askedInquiry,
  output: taskObject,
  errors: [ringmasterErrors.TASK_NOT_FOUND, ringmasterErrors.ATTEMPT_NOT_FOUND, ringmasterErrors.STALE_TOKEN],
  run: async () => (await import('../service/inquiries.ts')).inquire,
});

export const listInquiries = defineOperation({
  name: 'inquiry.list',
  summary: 'List unanswered decisions and questions',
  permission: READ,
  input: {
    kind: optional(choice(kinds, 'Only decisions or only questions')),
    all: flag('Include answered decisions and questions'),
  },
  output: pageOf(inquiryObject),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/inquiries.ts')).allInquiries),
});

export const answerInquiry = defineOperation({
  name: 'inquiry.answer',
  summary: 'Answer a decision or question',
  description: 'If the decision or question offers options, the answer must be one of them.',
  permission: WRITE,
  input: { inquiry: taskId('Id of the decision or question'), answer: text('The answer', { min: 1, max: 10_000 }) },
  output: taskObject,
  errors: [ringmasterErrors.NOT_AN_INQUIRY, ringmasterErrors.ANSWER_NOT_OFFERED],
  absent: { mcp: 'Agents ask; people answer' },
  run: async () => (await import('../service/inquiries.ts')).answerInquiry,
});
