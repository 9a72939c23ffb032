import type { CommandContext } from '@holdfast/cli';

import { retryEvent } from '../../service/event-actions.ts';
import { eventData, showEvent } from '../view/event.ts';
import { type CliContext, ended, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly event: number };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const revived = await retryEvent(codex, context.args.event);
    codex.lanes.wake(revived.notebook_id);
    const event = await ended(codex, context, revived);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
