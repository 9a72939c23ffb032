import { defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';

const inherits = sharedOptions;
const group = 'Serve';

export const serving = [
  defineCommand({
    name: 'server',
    group,
    summary: 'A NATS server on this machine, for this machine',
    commands: [
      defineCommand({
        name: 'start',
        summary: 'Start it, on loopback and with its files in the data home',
        options: {
          port: { type: 'integer', summary: 'Where it listens', default: 4222, min: 1, max: 65_535 },
          use: { type: 'boolean', summary: 'Keep the tasks there from now on' },
        },
        load: () => import('../commands/server-start.ts'),
      }),
      defineCommand({ name: 'stop', summary: 'Stop it', load: () => import('../commands/server-stop.ts') }),
      defineCommand({
        name: 'status',
        summary: 'Where the tasks are, what is promised there, and what is lacking',
        inherits,
        load: () => import('../commands/server-status.ts'),
      }),
    ],
  }),
  defineCommand({
    name: 'mcp',
    group,
    summary: 'Tools for an agent: the Model Context Protocol on standard input and output',
    options: { stdio: { type: 'boolean', summary: 'The only way there is', hidden: true } },
    inherits,
    load: () => import('../commands/mcp.ts'),
  }),
] as const;
