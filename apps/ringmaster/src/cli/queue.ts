import { claimTask, heartbeat as heartbeatOperation, reapTasks, reportTask } from '../operations/queue.ts';
import { command, completeTask } from './command.ts';

const flags = { lease_seconds: 'lease', failure_class: 'class' } as const;
const env = { token: 'RINGMASTER_TOKEN' } as const;

export const claim = command(claimTask, {
  name: 'claim',
  aliases: ['pull-bead'],
  description:
    'Prints the task and a token. Adds the worker on its first claim. Heartbeats and the report need the token, which ' +
    'expires with the lease. The exit code is 3 if no task is available.',
  arguments: ['worker'],
  flags,
  print: ({ task, token, lease_expires_at: until, reason }, page) => {
    if (task === null) return page.line(`No task is available: ${reason}`);
    return page.lines([
      `${task.id} ${task.title}`,
      `Token ${token}, lease until ${until}`,
      `Next: ringmaster prompt ${task.id}`,
    ]);
  },
  exit: ({ task }) => (task === null ? 3 : undefined),
});

export const heartbeat = command(heartbeatOperation, {
  name: 'heartbeat',
  flags,
  env,
  print: ({ cancel, lease_expires_at: until }, page) =>
    page.line(cancel ? 'Stop: this task was cancelled' : `Lease until ${until}`),
});

export const report = command(reportTask, {
  name: 'report',
  aliases: ['report-result'],
  arguments: ['task'],
  short: { status: 's', reason: 'r', output: 'o' },
  flags,
  env,
  complete: { task: completeTask, output: 'file' },
  description:
    'Only failures of the class "task" count towards max_attempts. --output is the path of a log file to store.',
  prepare: async (input) => {
    if (typeof input['output'] !== 'string') return input;
    const { readText } = await import('../adapters/files.ts');
    return { ...input, output: readText(input['output']) };
  },
  print: ({ id, status }, page) => page.line(`${id} is ${status}`),
});

export const reap = command(reapTasks, {
  name: 'reap',
  print: ({ data }, page) =>
    page.lines(data.length === 0 ? ['No lease has expired'] : data.map((id) => `Reclaimed ${id}`)),
});
