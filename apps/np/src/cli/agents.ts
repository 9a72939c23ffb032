import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { AGENTS, ONBOARD } from '../model/guidance.ts';
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
  summary: 'Print a paragraph for AGENTS.md',
  group: GROUP,
  without: ['session', 'dir'],
  load: async () => ({
    run: ({ out }) => out.result({ markdown: ONBOARD }, (page) => page.line(ONBOARD.trimEnd())),
  }),
});

const setup = defineCommand({
  name: 'setup',
  summary: "Add the np guidance to an agent's instruction file",
  group: GROUP,
  without: ['session'],
  arguments: [{ name: 'agent', summary: 'Agent to set up; codex is OpenAI Codex', choices: AGENTS }],
  options: {
    check: { type: 'boolean', summary: 'Change nothing; exit code 1 if the agent is not set up' },
    remove: { type: 'boolean', summary: 'Remove the guidance that np setup added' },
  },
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./agent-commands.ts')).setUpAgent }),
});

const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on standard input and output',
  group: GROUP,
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./agent-commands.ts')).serveMcp }),
});

export const agentCommands: readonly CommandSpec[] = [prime, onboard, setup, mcp];
