import type { CommandSpec, Page } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { answerInquiry, askPerson, listInquiries } from '../operations/inquiries.ts';
import { command, completeTask } from './command.ts';

type Inquiry = OutputOf<typeof listInquiries>['data'][number];

export function printInquiry(one: Inquiry, page: Page): void {
  page.line(`${one.task_id} about ${one.about_id}: ${one.title}`);
  const details = [
    ['context', one.context],
    ['options', one.options.join(' | ')],
    ['recommended', one.recommendation],
    ['default until answered', one.default_answer],
    ['answer', one.answer === null ? null : `${one.answer} (${one.answered_by ?? ''})`],
  ] as const;
  for (const [label, text] of details) {
    if (text !== null && text !== '') page.line(`  ${label}: ${text}`);
  }
}

const printAll = ({ data }: OutputOf<typeof listInquiries>, page: Page): void => {
  for (const one of data) printInquiry(one, page);
};

export const inquiries = command(listInquiries, {
  name: 'inquiries',
  short: { all: 'a' },
  print: printAll,
});

const ask = (name: 'decide' | 'ask', kind: Inquiry['type'], summary: string): CommandSpec => {
  const asking = command(askPerson, {
    name,
    arguments: ['task', 'question'],
    short: { options: 'o' },
    flags: { options: 'option', default_answer: 'default' },
    complete: { task: completeTask },
    fixed: { kind },
    omit: kind === 'decision' ? ['urgency', 'default_answer'] : ['recommendation'],
    print: ({ id }, page) => page.line(id),
  });
  const listing = command(listInquiries, { name, fixed: { kind }, print: printAll });
  return {
    ...asking,
    summary,
    arguments: (asking.arguments ?? []).map((argument) => ({ ...argument, optional: true })),
    options: { ...asking.options, list: { type: 'boolean', summary: 'List open decisions and questions' } },
    load: async () => {
      const [add, list] = await Promise.all([asking.load?.(), listing.load?.()]);
      return {
        run: (context: { readonly options: { readonly list?: boolean } }) =>
          (context.options.list === true ? list : add)?.run(context as never),
      };
    },
  };
};

export const decide = ask('decide', 'decision', 'Ask for a decision: the task waits for the answer');
export const askQuestion = ask('ask', 'question', 'Ask a question: the task continues without the answer');

export const answer = command(answerInquiry, {
  name: 'answer',
  aliases: ['resolve'],
  arguments: ['inquiry', 'answer'],
  complete: { inquiry: completeTask },
  print: ({ id }, page) => page.line(`Answered ${id}`),
});
