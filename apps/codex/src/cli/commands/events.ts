import type { CommandContext } from '@holdfast/cli';

import type { FileEventStatus } from '../../model/event.ts';
import { listEvents } from '../../store/events.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CodexContext['options'] & { readonly status: FileEventStatus | undefined; readonly limit: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  await withCodex(context, async (engine) => {
    const notebookId = options.notebook === undefined ? undefined : chosenNotebook(engine, context).id;
    const { status } = options;
    const events = listEvents(engine.codex.store.reader, { notebookId, status, limit: options.limit });
    out.result(events.map(eventData), (page) => {
      for (const event of events) showEvent(page, event);
    });
  });
}
