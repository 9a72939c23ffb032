import { type CommandContext, commandLineErrors, type Output } from '@holdfast/cli';
import type { Event } from '../../model/event.ts';
import { followGlobalLog, followLog, readGlobalLog, readLog } from '../../service/read-log.ts';
import { eventLines } from '../view/event.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & {
    readonly follow: boolean;
    readonly all: boolean;
    readonly after: number | undefined;
    readonly limit: number;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  if (options.all && options.after !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT('--after counts the events of one session; it cannot go with --all.');
  }
  if (options.all && (options.session ?? options.dir) !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT('--all is about all sessions; it cannot go with --session or --dir.');
  }
  await withNp(context, async (np, { where }) => {
    if (options.all && options.follow) {
      for await (const { sid, event } of followGlobalLog(np, { ...options, signal: context.signal })) {
        out.item({ sid, ...event }, (page) => page.lines(eventLines(event, sid)));
      }
    } else if (options.all) {
      const feed = await readGlobalLog(np, options.limit);
      out.result({ events: feed.map(({ sid, event }) => ({ sid, ...event })) }, (page) =>
        page.lines(feed.flatMap(({ sid, event }) => eventLines(event, sid))),
      );
    } else if (options.follow) {
      const { signal } = context;
      for await (const event of followLog(np, where, { ...options, signal })) showOne(out, event);
    } else {
      const { session, events } = await readLog(np, where, options);
      out.result({ sid: session.sid, events }, (page) => page.lines(events.flatMap((event) => eventLines(event))));
    }
  });
}

function showOne(out: Output, event: Event): void {
  out.item(event, (page) => page.lines(eventLines(event)));
}
