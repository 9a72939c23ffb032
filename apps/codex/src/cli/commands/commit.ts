import type { CommandContext } from '@holdfast/cli';

import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'] & { readonly message: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { message } = context.options;
  await withCodex(context, async (codex) => {
    const event = await perform(codex, context, chosenNotebook(codex, context), { type: 'batch_commit', message });
    const data = { commit_sha: event.commit_sha, event_id: event.id };
    context.out.result(data, (page) => page.line(event.commit_sha ?? 'There is nothing to commit'));
  });
}
