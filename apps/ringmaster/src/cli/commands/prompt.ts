import { type Column, type CommandContext, type Page, style } from '@holdfast/cli';

import { assemblePrompt, type RecordedPart } from '../../service/prompt/assemble.ts';
import { lastAssembly } from '../../service/recorded-prompt.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & {
    readonly explain: boolean;
    readonly recorded: boolean;
    readonly budget: number | undefined;
  };
}

interface Explained {
  readonly tokens: number;
  readonly budget_tokens: number;
  readonly sha256: string;
  readonly considered: readonly RecordedPart[];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    if (options.recorded) {
      const last = lastAssembly(rm, args);
      out.result(last, (page) => explain(page, last));
      return;
    }
    const prompt = await assemblePrompt(rm, args.task, { purpose: 'shown', budgetTokens: options.budget });
    out.result(prompt, (page) => {
      if (options.explain) explain(page, prompt);
      else page.line(prompt.text.trimEnd());
    });
  });
}

const columns: readonly Column<RecordedPart>[] = [
  { heading: 'SOURCE', value: ({ source }) => source },
  { heading: 'USED', value: ({ verdict }) => verdict },
  { heading: 'TOKENS', value: ({ tokens }) => (tokens === 0 ? '' : String(tokens)), align: 'right' },
  { heading: 'SCORE', value: ({ score }) => score.toFixed(2), align: 'right' },
  { heading: 'WHAT', value: ({ name }) => name, flexible: true },
  { heading: 'WHY', value: ({ reason }) => reason },
];

function explain(page: Page, { tokens, budget_tokens, sha256, considered }: Explained): void {
  page.table(considered, columns);
  page.line(style.dim(`About ${tokens} of ${budget_tokens} tokens; SHA-256 ${sha256}`));
}
