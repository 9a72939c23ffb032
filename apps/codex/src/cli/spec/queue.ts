import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { EVENT_STATUSES } from '../../model/event.ts';
import { shared } from './shared.ts';

const event = [{ name: 'event', summary: 'Number of the event', type: 'integer' }] as const;

/** Commands about the queue itself. */
export const queue: readonly CommandSpec[] = [
  defineCommand({
    name: 'events',
    summary: 'Show the operations, the newest first; retry, discard or cancel one',
    options: {
      status: { type: 'string', summary: 'Only those in this state', value: 'status', choices: EVENT_STATUSES },
      limit: { type: 'integer', summary: 'How many at most', default: 50, min: 1 },
    },
    inherits: shared,
    commands: [
      defineCommand({
        name: 'retry',
        summary: 'Try a failed operation again',
        arguments: event,
        inherits: shared,
        load: () => import('../commands/event-retry.ts'),
      }),
      defineCommand({
        name: 'discard',
        summary: 'Give a failed operation up',
        arguments: event,
        load: () => import('../commands/event-discard.ts'),
      }),
      defineCommand({
        name: 'cancel',
        summary: 'Take back an operation that has not begun',
        arguments: event,
        load: () => import('../commands/event-cancel.ts'),
      }),
    ],
    load: () => import('../commands/events.ts'),
  }),
  defineCommand({
    name: 'commit',
    summary: 'Commit to git everything that was asked for so far',
    options: { message: { type: 'string', summary: 'First line of the commit', short: 'm', value: 'text' } },
    inherits: shared,
    load: () => import('../commands/commit.ts'),
  }),
  defineCommand({
    name: 'reconcile',
    summary: 'Compare the folder with the index, and take over what others changed',
    options: {
      withoutDisks: { type: 'boolean', summary: 'Take what lay on disks that are not mounted for deleted' },
    },
    inherits: shared,
    load: () => import('../commands/reconcile.ts'),
  }),
  defineCommand({
    name: 'status',
    summary: 'Show how the queue is doing, and whether everything is committed',
    inherits: shared,
    load: () => import('../commands/status.ts'),
  }),
];
