import { commandLineErrors, type CommandContext } from '@holdfast/cli';
import type { Audiobooks } from '../../service/audiobooks.ts';
import { localListener } from '../../service/listening/listener.ts';
import { catchUp } from '../../service/statistics/catch-up.ts';
import { listeningUsers } from '../../service/statistics/listening-users.ts';
import { lastYear, type Period } from '../../service/statistics/listened-days.ts';
import { statisticsOf } from '../../service/statistics/read-statistics.ts';
import { rebuildStatistics } from '../../service/statistics/rebuild.ts';
import { isTimeZone, localTimeZone } from '../../model/time-zone.ts';
import { userListenSeconds, userTallies } from '../../store/definitions.ts';
import { rowOf } from '../../model/book-row.ts';
import { lengthText } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly action: string | undefined };
  readonly options: {
    readonly user: string | undefined;
    readonly from: string | undefined;
    readonly to: string | undefined;
    readonly timeZone: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  if (args.action === 'rebuild') {
    const done = await withLibrary(context, (audiobooks) => rebuildStatistics(audiobooks));
    out.result(done, (page) =>
      page.line(`Counted ${done.events} events of ${done.users} people again; ${done.corrected} counters were wrong.`),
    );
    return;
  }
  if (options.user === undefined) {
    const everybody = await withLibrary(context, totals);
    out.result(everybody, (page) => {
      if (everybody.length === 0) page.line('Nobody has listened to anything yet.');
      else
        page.table(everybody, [
          { heading: 'USER', value: ({ user }) => user, flexible: true },
          { heading: 'LISTENED', value: ({ listen_seconds: time }) => lengthText(time * 1_000), align: 'right' },
          { heading: 'PLAYS', value: ({ plays }) => String(plays), align: 'right' },
          { heading: 'FINISHED', value: ({ finished }) => String(finished), align: 'right' },
        ]);
    });
    return;
  }
  const listener = localListener(options.user);
  const found = await withLibrary(context, (audiobooks) =>
    statisticsOf(audiobooks, listener, period(audiobooks.now(), options)),
  );
  const data = {
    ...found,
    books: found.books.map(({ book, seconds }) => ({ book: book === null ? null : rowOf(book), seconds })),
  };
  out.result(data, (page) => {
    page.line(`${lengthText(found.listen_seconds * 1_000)} listened, ${found.finished} books finished`);
    page.table(data.books, [
      { heading: 'TITLE', value: ({ book }) => book?.title ?? '(gone)', flexible: true },
      { heading: 'LISTENED', value: ({ seconds }) => lengthText(seconds * 1_000), align: 'right' },
    ]);
  });
}

function period(now: number, { from, to, timeZone: zone = localTimeZone() }: Input['options']): Period {
  if (!isTimeZone(zone)) {
    throw commandLineErrors.INVALID_ARGUMENT(`No time zone is called ${zone}.`, {
      hint: 'For example Europe/Berlin, or UTC.',
    });
  }
  const year = lastYear(now, zone);
  for (const date of [from, to]) {
    if (date !== undefined && !/^\d{4}-\d{2}-\d{2}$/u.test(date)) {
      throw commandLineErrors.INVALID_ARGUMENT(`"${date}" is not a day such as 2026-01-31.`);
    }
  }
  return { from: from ?? year.from, to: to ?? year.to, zone };
}

async function totals(audiobooks: Audiobooks) {
  const found = [];
  for await (const user of listeningUsers(audiobooks)) {
    await catchUp(audiobooks, user);
    const tally = await audiobooks.store.get(userTallies, { side: 'now', user });
    found.push({
      user,
      listen_seconds: await audiobooks.store.get(userListenSeconds, { user }),
      plays: tally?.plays ?? 0,
      finished: tally?.finished ?? 0,
    });
  }
  return found;
}
