import { defineCommand } from '@holdfast/cli';

import { failureClasses, reportStatuses } from '../../model/attempt.ts';
import { shared, taskArgument } from './shared.ts';

const workerArgument = { name: 'worker', summary: 'Id of the worker' } as const;
const token = {
  type: 'integer',
  summary: 'The token that claim gave',
  required: true,
  env: 'RINGMASTER_TOKEN',
  min: 1,
} as const;

/** One for both: the build rewrites an import once for every place that has it. */
const loadOnline = () => import('../commands/worker-online.ts');

export const worker = defineCommand({
  name: 'worker',
  summary: 'Who does the work',
  commands: [
    defineCommand({
      name: 'add',
      summary: 'Add a worker that ringmaster.toml does not name',
      inherits: shared,
      arguments: [workerArgument],
      options: {
        name: { type: 'string', summary: 'What it is called' },
        type: { type: 'string', summary: 'claude-code, codex, aider, …', short: 't', default: 'manual' },
        command: { type: 'string', summary: 'The program it runs', default: '' },
        capability: { type: 'string', summary: 'Something it can do', short: 'c', multiple: true },
        maxConcurrent: { type: 'integer', summary: 'How many tasks at once', value: 'count', min: 1 },
        timeout: { type: 'integer', summary: 'Longest time for a task', value: 'seconds', min: 1 },
      },
      load: () => import('../commands/worker-add.ts'),
    }),
    defineCommand({
      name: 'list',
      aliases: ['ls'],
      summary: 'Show all workers',
      inherits: shared,
      load: () => import('../commands/worker-list.ts'),
    }),
    defineCommand({
      name: 'stats',
      summary: 'What each worker did, how often it worked, how long it took and what it cost',
      inherits: shared,
      load: () => import('../commands/worker-stats.ts'),
    }),
    defineCommand({
      name: 'on',
      aliases: ['activate'],
      summary: 'Give a worker tasks again',
      inherits: shared,
      arguments: [workerArgument],
      options: { online: { type: 'boolean', summary: 'Set by the command', default: true, hidden: true } },
      load: loadOnline,
    }),
    defineCommand({
      name: 'off',
      aliases: ['deactivate'],
      summary: 'Give a worker nothing new',
      inherits: shared,
      arguments: [workerArgument],
      options: { online: { type: 'boolean', summary: 'Set by the command', default: false, hidden: true } },
      load: loadOnline,
    }),
  ],
});

export const claim = defineCommand({
  name: 'claim',
  aliases: ['pull-bead'],
  summary: 'Take the best task there is for a worker',
  description:
    'Prints the task and a token. Heartbeats and the report need the token; once the lease has run out it is worth ' +
    'nothing. Exit code 3 when there is nothing to do.',
  inherits: shared,
  arguments: [workerArgument],
  options: {
    pid: { type: 'integer', summary: 'The process that will do the work', min: 1 },
    lease: { type: 'number', summary: 'How long without a heartbeat', value: 'seconds', min: 0.05 },
  },
  load: () => import('../commands/claim.ts'),
});

export const heartbeat = defineCommand({
  name: 'heartbeat',
  summary: 'Say that a task is still being worked on',
  description: 'The answer says whether somebody wants it stopped.',
  inherits: shared,
  options: {
    token,
    progress: { type: 'string', summary: 'How far it is' },
    lease: { type: 'number', summary: 'How long until the next', value: 'seconds', min: 0.05 },
  },
  load: () => import('../commands/heartbeat.ts'),
});

export const report = defineCommand({
  name: 'report',
  aliases: ['report-result'],
  summary: 'Say how a task ended',
  description: 'Only failures of class "task" count towards giving up; the others are not the fault of the task.',
  inherits: shared,
  arguments: [taskArgument],
  options: {
    token,
    status: {
      type: 'string',
      summary: 'How',
      short: 's',
      choices: reportStatuses,
      required: true,
    },
    class: {
      type: 'string',
      summary: 'Whose failure it is',
      choices: failureClasses,
    },
    reason: { type: 'string', summary: 'Why', short: 'r' },
    output: { type: 'string', summary: 'File with everything the worker printed', short: 'o', complete: 'file' },
  },
  load: () => import('../commands/report.ts'),
});

export const reap = defineCommand({
  name: 'reap',
  summary: 'Take back tasks whose lease has run out',
  inherits: shared,
  load: () => import('../commands/reap.ts'),
});
