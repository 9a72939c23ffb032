import { type CommandSpec, defineCommand, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { addSummary, listSummaries } from '../operations/summaries.ts';
import { listEvents, primeAgent, showMetrics, showStatus, undoChange } from '../operations/workspace.ts';
import { command, completeTask } from './command.ts';

export const status = command(showStatus, {
  name: 'status',
  print: (shown, page) =>
    page.fields([
      ['ready to start', String(shown.ready)],
      ['running', String(shown.running)],
      ...Object.entries(shown.tasks).map(([name, count]) => [`tasks ${name}`, String(count)] as const),
      [
        'workers',
        Object.entries(shown.workers)
          .map(([name, count]) => `${count} ${name}`)
          .join(', ') || 'none',
      ],
      ...shown.supervisors.map(
        ({ pid, state, started_at, started_by }) =>
          ['run', `${state}, process ${pid}, started by ${started_by} at ${started_at}`] as const,
      ),
      ...shown.parked_workers.map(
        ({ id, until, reason }) => [`worker ${id}`, `parked until ${until}: ${reason}`] as const,
      ),
      ...(shown.paused_at === null ? [] : ([['paused since', shown.paused_at]] as const)),
      ...(shown.unmerged === 0 ? [] : ([['finished, not merged', String(shown.unmerged)]] as const)),
      ...(shown.pending_merges === 0 ? [] : ([['merge pending', String(shown.pending_merges)]] as const)),
      ...shown.budgets_reached.map((text) => ['budget', text] as const),
      ...(shown.undelivered_notifications === 0
        ? []
        : ([['notifications not delivered', String(shown.undelivered_notifications)]] as const)),
      ['open decisions', String(shown.open_decisions)],
      ['open questions', String(shown.open_questions)],
      ['ranks', shown.ranks_are_current ? 'current' : 'out of date'],
      ['last backup', shown.last_backup ?? 'none'],
    ]),
});

export const metrics = command(showMetrics, {
  name: 'metrics',
  print: ({ data }, page) => {
    if (data.length === 0) return page.line('No attempts have ended yet');
    return page.table(data, [
      { heading: 'DAY', value: ({ day }) => day },
      { heading: 'DONE', value: ({ succeeded }) => succeeded, align: 'right' },
      { heading: 'FAILED', value: ({ failed }) => failed, align: 'right' },
      { heading: 'OTHER', value: ({ other }) => other, align: 'right' },
      { heading: 'SECONDS', value: ({ average_seconds }) => average_seconds?.toFixed(1) ?? '', align: 'right' },
      { heading: 'USD', value: ({ cost_usd }) => cost_usd?.toFixed(2) ?? '', align: 'right' },
    ]);
  },
});

type Event = OutputOf<typeof listEvents>['data'][number];

export function printEvent(page: Page, event: Event): void {
  const who = event.actor_id ?? event.actor_type;
  page.line(style.dim(`${event.id} ${event.created_at}`), ` ${event.event_type} ${event.entity_id} `, style.dim(who));
}

const listing = command(listEvents, {
  name: 'events',
  arguments: ['entity'],
  short: { limit: 'n' },
  defaults: { limit: 50 },
  examples: [{ command: 'ringmaster events --follow --json', summary: 'Stream events as JSON' }],
  print: ({ data }, page) => {
    if (data.length === 0) page.line('No events match');
    for (const event of data) printEvent(page, event);
  },
});

export const events: CommandSpec = {
  ...listing,
  options: { ...listing.options, follow: { type: 'boolean', summary: 'Show new events as they happen', short: 'f' } },
  load: async () => {
    const [list, follow] = await Promise.all([listing.load?.(), import('./streams.ts')]);
    return {
      run: (context: Parameters<typeof follow.followEventLog>[0]) =>
        context.options.follow ? follow.followEventLog(context) : list?.run(context as never),
    };
  },
};

export const undo = command(undoChange, {
  name: 'undo',
  print: ({ note }, page) => page.line(`Undone: ${note}`),
});

export const prime = command(primeAgent, {
  name: 'prime',
  print: ({ text }, page) => page.lines(text.split('\n')),
});

export const summary = defineCommand({
  name: 'summary',
  summary: 'Manage summaries of messages',
  commands: [
    command(addSummary, {
      name: 'add',
      arguments: ['text'],
      flags: { decisions: 'decision' },
      complete: { task: completeTask },
      stdin: 'text',
      print: ({ message_range_start: first, message_range_end: last }, page) =>
        page.line(`Summarised messages ${first} to ${last}`),
    }),
    command(listSummaries, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data }, page) => {
        if (data.length === 0) page.line("No summaries. 'ringmaster summary add TEXT' adds one.");
        page.lines(data.map((one) => `${one.message_range_start}-${one.message_range_end}: ${one.summary}`));
      },
    }),
  ],
});
