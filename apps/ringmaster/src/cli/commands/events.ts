import { type CommandContext, type Page, style } from '@holdfast/cli';

import { allEvents, followEvents, type RingmasterEvent } from '../../service/events.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly entity: string | undefined };
  readonly options: RingmasterContext['options'] & {
    readonly since: number | undefined;
    readonly type: string | undefined;
    readonly limit: number;
    readonly follow: boolean;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const query = { since: options.since, type: options.type, entity: args.entity, limit: options.limit };
  await withRingmaster(context, async (rm) => {
    if (options.follow) {
      for await (const event of followEvents(rm, query, context.signal)) {
        out.item(event, (page) => showEvent(page, event));
      }
      return;
    }
    const events = allEvents(rm, query);
    out.result(events, (page) => {
      for (const event of events) showEvent(page, event);
    });
  });
}

function showEvent(page: Page, event: RingmasterEvent): void {
  const who = event.actor_id ?? event.actor_type;
  page.line(style.dim(`${event.id} ${event.created_at}`), ` ${event.event_type} ${event.entity_id} `, style.dim(who));
}
