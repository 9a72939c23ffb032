import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { allInquiries, inquire } from '../../service/inquiries.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string | undefined; readonly question: string | undefined };
  readonly options: RingmasterContext['options'] & {
    readonly list: boolean;
    readonly kind: string;
    readonly context: string | undefined;
    readonly option: readonly string[];
    readonly recommendation?: string | undefined;
    readonly urgency?: 'low' | 'medium' | 'high' | undefined;
    readonly default?: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const kind = options.kind as 'decision' | 'question';
  await withRingmaster(context, async (rm) => {
    if (options.list) {
      const open = allInquiries(rm, { kind });
      out.result(open, (page) => page.lines(open.map((one) => `${one.task_id} about ${one.about_id}: ${one.title}`)));
      return;
    }
    const { task, question } = args;
    if (task === undefined || question === undefined) {
      throw commandLineErrors.MISSING_ARGUMENT('Say which task it is about, and what has to be known');
    }
    const asked = await inquire(rm, {
      task,
      kind,
      question,
      context: options.context,
      options: options.option,
      recommendation: options.recommendation,
      urgency: options.urgency,
      default_answer: options.default,
    });
    out.result(asked, (page) => page.line(asked.id));
  });
}
