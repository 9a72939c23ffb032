import { defineCommand } from '@holdfast/cli';

import { shared, taskArgument } from './shared.ts';

const workerArgument = {
  name: 'worker',
  summary: 'Id of the worker; all of them if left out',
  optional: true,
} as const;

/** One for both: the build rewrites an import once for every place that has it. */
const loadPause = () => import('../commands/pause.ts');

export const run = defineCommand({
  name: 'run',
  summary: 'Run the workers of ringmaster.toml on the tasks that are ready',
  description:
    'Each attempt gets a worktree and a branch of its own where the project is a git repository. The first Ctrl-C begins ' +
    'nothing new and gives the workers time to finish, the second stops at once; either way nothing is lost, and the ' +
    'next run goes on where this one stopped.',
  inherits: shared,
  options: {
    slots: { type: 'integer', summary: 'How many workers at once', value: 'count', min: 1 },
    once: { type: 'boolean', summary: 'End when there is nothing left to begin' },
    dryRun: { type: 'boolean', summary: 'Only say what would be run' },
  },
  examples: [
    { command: 'ringmaster run --once --slots 2', summary: 'Work off what is ready, two at a time' },
    { command: 'ringmaster run --dry-run', summary: 'Look at the commands first' },
  ],
  load: () => import('../commands/run.ts'),
});

export const logs = defineCommand({
  name: 'logs',
  summary: 'Show what the worker of a task printed',
  description: 'The last iteration, or all of one attempt. With --follow, as it is written, until the attempt ends.',
  inherits: shared,
  arguments: [taskArgument],
  options: {
    follow: { type: 'boolean', summary: 'Go on while it is worked on', short: 'f' },
    attempt: { type: 'integer', summary: 'Number of the attempt', value: 'number', min: 1 },
  },
  load: () => import('../commands/logs.ts'),
});

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'Stop the worker of a task, with everything it started',
  inherits: shared,
  arguments: [taskArgument],
  options: { now: { type: 'boolean', summary: 'Take the task away at once, whatever the worker does' } },
  load: () => import('../commands/task-cancel.ts'),
});

export const pause = defineCommand({
  name: 'pause',
  summary: 'Begin nothing new with a worker, or with all',
  inherits: shared,
  arguments: [workerArgument],
  options: { paused: { type: 'boolean', summary: 'Set by the command', default: true, hidden: true } },
  load: loadPause,
});

export const resume = defineCommand({
  name: 'resume',
  summary: 'Go on with a worker, or with all; also with one that waits for the end of a rate limit',
  inherits: shared,
  arguments: [workerArgument],
  options: { paused: { type: 'boolean', summary: 'Set by the command', default: false, hidden: true } },
  load: loadPause,
});

export const merge = defineCommand({
  name: 'merge',
  summary: 'Bring the work of a task into the branch of its project',
  description: 'Conflicts change nothing: they become a decision. Exit code 4 then.',
  inherits: shared,
  arguments: [taskArgument],
  options: { into: { type: 'string', summary: 'Another branch than the one checked out', value: 'branch' } },
  load: () => import('../commands/merge.ts'),
});
