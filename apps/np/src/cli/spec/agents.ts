import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { AGENTS } from '../../model/agent-files.ts';
import { sharedOptions } from './shared.ts';

const GROUP = 'For agents';

const prime = defineCommand({
  name: 'prime',
  summary: 'Print what an agent has to know and the current plan, in less than 2,000 tokens',
  group: GROUP,
  inherits: sharedOptions,
  load: () => import('../commands/prime.ts'),
});

const onboard = defineCommand({
  name: 'onboard',
  summary: 'Print the paragraph to put into AGENTS.md',
  group: GROUP,
  without: ['session', 'dir'],
  load: () => import('../commands/onboard.ts'),
});

const setup = defineCommand({
  name: 'setup',
  summary: 'Tell an agent about np, in the file where it looks for instructions',
  group: GROUP,
  without: ['session'],
  arguments: [{ name: 'agent', summary: 'Which one', choices: AGENTS }],
  options: {
    check: { type: 'boolean', summary: 'Only look; exit code 1 if it is not set up' },
    remove: { type: 'boolean', summary: 'Take it out again' },
  },
  inherits: sharedOptions,
  load: () => import('../commands/setup.ts'),
});

const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on standard input and output',
  group: GROUP,
  inherits: sharedOptions,
  load: () => import('../commands/mcp.ts'),
});

export const agentCommands: readonly CommandSpec[] = [prime, onboard, setup, mcp];
