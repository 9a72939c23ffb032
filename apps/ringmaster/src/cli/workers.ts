import { defineCommand } from '@holdfast/cli';

import { addWorker, listWorkers, pauseWorkers, workerOutput } from '../operations/workers.ts';
import { stopRun } from '../operations/runs.ts';
import { command } from './command.ts';

const NO_WORKERS = 'No workers. Add one under [[workers]] in ringmaster.toml.';

const list = command(listWorkers, {
  name: 'list',
  aliases: ['ls'],
  print: ({ data }, page) => {
    if (data.length === 0) return page.line(NO_WORKERS);
    return page.table(data, [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'TYPE', value: ({ type }) => type },
      {
        heading: 'STATUS',
        value: ({ status, parked_until }) => (parked_until === null ? status : `parked until ${parked_until}`),
      },
      { heading: 'TASK', value: ({ current_task_id }) => current_task_id ?? '' },
      { heading: 'DONE', value: ({ succeeded }) => succeeded, align: 'right' },
      { heading: 'FAILED', value: ({ failed }) => failed, align: 'right' },
      { heading: 'PROBLEM', value: ({ parked_reason }) => parked_reason ?? '' },
    ]);
  },
});

const stats = {
  ...command(listWorkers, {
    name: 'stats',
    print: ({ data }, page) => {
      if (data.length === 0) return page.line(NO_WORKERS);
      return page.table(data, [
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'ATTEMPTS', value: ({ attempts }) => attempts, align: 'right' },
        { heading: 'DONE', value: ({ succeeded }) => succeeded, align: 'right' },
        { heading: 'FAILED', value: ({ failed }) => failed, align: 'right' },
        { heading: 'OTHER', value: ({ other }) => other, align: 'right' },
        { heading: 'SUCCESS', value: ({ success_rate }) => rounded(success_rate, 2), align: 'right' },
        { heading: 'SECONDS', value: ({ average_seconds }) => rounded(average_seconds, 1), align: 'right' },
        { heading: 'TURNS', value: ({ iterations }) => iterations, align: 'right' },
        {
          heading: 'TOKENS',
          value: ({ input_tokens: input, output_tokens: output }) =>
            input === null && output === null ? '' : (input ?? 0) + (output ?? 0),
          align: 'right',
        },
        { heading: 'USD', value: ({ cost_usd }) => rounded(cost_usd, 2), align: 'right' },
      ]);
    },
  }),
  summary: 'Show the attempts, success rate, time and cost of each worker',
};

function rounded(value: number | null, digits: number): string {
  return value === null ? '' : value.toFixed(digits);
}

const switched = (name: string, paused: boolean, summary: string, aliases: readonly string[] = []) => ({
  ...command(pauseWorkers, {
    name,
    aliases,
    arguments: ['worker'],
    fixed: { paused },
    print: ({ worker_id, status }, page) =>
      page.line(
        worker_id === null ? `All workers are ${paused ? 'paused' : 'resumed'}` : `${worker_id} is ${status ?? ''}`,
      ),
  }),
  summary,
});

export const pause = switched('pause', true, 'Pause one worker, or all workers; paused workers get no new tasks');
export const resume = switched(
  'resume',
  false,
  'Resume one worker, or all workers, even if a rate limit still applies',
);

export const stop = command(stopRun, {
  name: 'stop',
  print: (_, page) => page.line('Stopping: no new task starts, and running workers get time to finish'),
});

export const worker = defineCommand({
  name: 'worker',
  summary: 'Manage workers and show their results',
  commands: [
    command(addWorker, {
      name: 'add',
      arguments: ['worker'],
      short: { type: 't', capabilities: 'c' },
      flags: { capabilities: 'capability', timeout_seconds: 'timeout' },
      print: ({ id }, page) => page.line(id),
    }),
    list,
    stats,
    command(workerOutput, {
      name: 'output',
      short: { lines: 'n' },
      print: ({ data }, page) => {
        if (data.length === 0) page.line('No worker is running');
        for (const { task_id: id, lines } of data) page.lines([id, ...lines.map((line) => `  ${line}`)]);
      },
    }),
    switched('on', false, 'Give a worker new tasks again', ['activate']),
    switched('off', true, 'Stop giving a worker new tasks', ['deactivate']),
  ],
});
