import { type CommandSpec, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { showInbox } from '../operations/inbox.ts';
import { answerInquiry, askPerson, listInquiries } from '../operations/inquiries.ts';
import { command, completeTask } from './command.ts';

/** Indents every line, because the context of a decision often has several lines. */
function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

type Inquiry = OutputOf<typeof listInquiries>['data'][number];

export function printInquiry(one: Inquiry, page: Page): void {
  page.line(`${one.task_id} about ${one.about_id}: ${one.title}`);
  const details = [
    ['context', one.context],
    ['options', one.options.join(' | ')],
    ['recommended', one.recommendation],
    ['default until answered', one.default_answer],
    ['answer', one.answer === null ? null : `${one.answer} (answered by ${one.answered_by ?? 'unknown'})`],
  ] as const;
  for (const [label, text] of details) {
    if (text !== null && text !== '') page.line(indented(`${label}: ${text}`));
  }
}

const printAll =
  (none: string) =>
  ({ data }: OutputOf<typeof listInquiries>, page: Page): void => {
    if (data.length === 0) page.line(none);
    for (const one of data) printInquiry(one, page);
  };

export const inquiries = command(listInquiries, {
  name: 'inquiries',
  short: { all: 'a' },
  print: printAll('No decisions or questions are open'),
});

export const inbox = command(showInbox, {
  name: 'inbox',
  print: ({ data }, page) => {
    if (data.length === 0) page.line('Nothing is waiting for you.');
    for (const { kind, id, text, detail, options, recommendation, command: next } of data) {
      // The text of some entries already begins with the id.
      page.line(style.bold(kind.replaceAll('_', ' ')), ` ${text.startsWith(`${id} `) ? text : `${id}: ${text}`}`);
      if (detail !== null) page.line(indented(detail));
      if (options.length > 0) page.line(`  options: ${options.join(' | ')}`);
      if (recommendation !== null) page.line(`  recommended: ${recommendation}`);
      page.line(style.dim(`  ${next}`));
    }
  },
});

const ask = (name: 'decide' | 'ask', kind: Inquiry['type'], summary: string): CommandSpec => {
  const asking = command(askPerson, {
    name,
    arguments: ['task', 'question'],
    short: { options: 'o' },
    flags: { options: 'option', default_answer: 'default' },
    env: { token: 'RINGMASTER_TOKEN' },
    complete: { task: completeTask },
    fixed: { kind },
    omit: kind === 'decision' ? ['urgency', 'default_answer'] : ['recommendation'],
    print: ({ id }, page) => page.line(id),
  });
  const listing = command(listInquiries, { name, fixed: { kind }, print: printAll(`No ${kind}s are open`) });
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
