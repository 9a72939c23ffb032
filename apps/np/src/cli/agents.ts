import { type CommandSpec, defineCommand, setupArguments, setupOptions } from '@holdfast/cli';
import { ONBOARD } from '../model/guidance.ts';
import { sharedOptions } from './command.ts';

const GROUP = 'For agents';

const prime = defineCommand({
  name: 'prime',
  summary: 'Print guidance for agents and the current plan in fewer than 2,000 tokens',
  group: GROUP,
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./agent-commands.ts')).printPrime }),
});

const onboard = defineCommand({
  name: 'onboard',
  summary: 'Print a paragraph for AGENTS.md that tells agents to use np',
  group: GROUP,
  without: ['session', 'dir', 'actor', 'server'],
  load: async () => ({
    run: ({ out }) => out.result({ markdown: ONBOARD }, (page) => page.line(ONBOARD.trimEnd())),
  }),
});

const setup = defineCommand({
  name: 'setup',
  summary: 'Connect a coding agent to np: add the MCP server and instructions to its files',
  description:
    "Adds entries to the agent's files in this directory; the rest of these files stays unchanged. " +
    'Windsurf lists its MCP servers in a file in your home directory, so setup for Windsurf changes that file too.',
  group: GROUP,
  without: ['session', 'actor', 'server'],
  arguments: setupArguments,
  options: setupOptions,
  inherits: sharedOptions,
  load: async () => {
    const { setUpAgent } = await import('@holdfast/cli/setup');
    const guidance = { program: 'np', markdown: ONBOARD, primeCommand: 'np prime' };
    return { run: (context) => setUpAgent(context, guidance) };
  },
});

const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the plan to an agent over the Model Context Protocol on standard input and output',
  group: GROUP,
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./agent-commands.ts')).serveMcp }),
});

export const agentCommands: readonly CommandSpec[] = [prime, onboard, setup, mcp];
