import type { CommandContext } from '@holdfast/cli';

import { discardEvent } from '../../service/event-actions.ts';
import { eventData, showEvent } from '../view/event.ts';
import { withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly event: number };
}

export async function run({ args, env, out }: CommandContext<Input>): Promise<void> {
  const event = await withCodex({ options: {}, env }, (codex) => discardEvent(codex, args.event));
  out.result(eventData(event), (page) => showEvent(page, event));
}
