import type { CommandContext } from '@holdfast/cli';

import { retryEvent } from '../../service/event-actions.ts';
import { eventData, showEvent } from '../view/event.ts';
import { type CodexContext, ended, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly event: number };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const revived = await retryEvent(engine.codex, context.args.event);
    engine.lanes.wake(revived.notebook_id);
    const event = await ended(engine, context, revived);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
