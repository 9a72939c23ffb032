import { type CommandSpec, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { showBatch } from '../operations/files.ts';
import * as operations from '../operations/queue.ts';
import { command, printMore, waiting } from './command.ts';

type Event = OutputOf<typeof operations.showEvent>;

export const queueCommands: readonly CommandSpec[] = [
  {
    ...command(operations.listEvents, {
      name: 'events',
      print: ({ data, next_cursor }, page) => {
        if (data.length === 0) page.line('No operations.');
        else
          page.table(data, [
            { heading: 'ID', value: ({ id }) => String(id), align: 'right' },
            { heading: 'QUEUED', value: ({ created_at }) => created_at },
            { heading: 'STATUS', value: ({ status }) => status },
            { heading: 'OPERATION', value: (event) => [nameOf(event), style.dim(reasonOf(event))], flexible: true },
          ]);
        printMore(next_cursor, page);
      },
    }),
    commands: [
      command(operations.showEvent, { name: 'show', arguments: ['id'], print: printEvent }),
      command(operations.waitForEvent, { name: 'wait', arguments: ['id'], print: printEvent }),
      command(operations.retryEvent, { name: 'retry', arguments: ['id'], defaults: waiting, print: printEvent }),
      command(operations.discardEvent, { name: 'discard', arguments: ['id'], print: printEvent }),
      command(operations.cancelEvent, { name: 'cancel', arguments: ['id'], print: printEvent }),
      command(showBatch, {
        name: 'batch',
        arguments: ['correlation_id'],
        print: ({ events }, page) => {
          for (const event of events) printEvent(event, page);
        },
      }),
    ],
  },
  command(operations.commitNow, {
    name: 'commit',
    short: { message: 'm' },
    defaults: waiting,
    print: ({ commit_sha }, page) => page.line(commit_sha ?? 'Nothing to commit'),
  }),
];

function printEvent(event: Event, page: Page): void {
  page.line(style.dim(String(event.id)), ` ${nameOf(event)} `, style.dim(`${event.status}${reasonOf(event)}`));
}

function nameOf({ event_type, path, dest_path }: Event): string {
  const paths = dest_path === null ? path : `${path ?? ''} → ${dest_path}`;
  return paths === null ? event_type : `${event_type} ${paths}`;
}

/** Returns why the operation failed or will be retried. */
function reasonOf({ error_message }: Event): string {
  return error_message === null ? '' : `: ${error_message}`;
}
