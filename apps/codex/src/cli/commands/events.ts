import { type CommandContext, style } from '@holdfast/cli';

import type { FileEventStatus } from '../../model/event.ts';
import { listEvents } from '../../store/events.ts';
import { eventData, whatOf, whyOf } from '../view/event.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'] & { readonly status: FileEventStatus | undefined; readonly limit: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  await withCodex(context, async (codex) => {
    const notebookId = options.notebook === undefined ? undefined : chosenNotebook(codex, context).id;
    const events = listEvents(codex.store.reader, { notebookId, status: options.status, limit: options.limit });
    out.result(events.map(eventData), (page) => {
      if (events.length === 0) return page.line('No operations.');
      return page.table(events, [
        { heading: 'ID', value: ({ id }) => String(id), align: 'right' },
        { heading: 'ASKED FOR', value: ({ created_at }) => created_at },
        { heading: 'STATUS', value: ({ status }) => status },
        { heading: 'OPERATION', value: (event) => [whatOf(event), style.dim(whyOf(event))], flexible: true },
      ]);
    });
  });
}
