import { defineCommand } from '@holdfast/cli';

import { shared, taskArgument } from './shared.ts';

export const prompt = defineCommand({
  name: 'prompt',
  summary: 'Show what a worker would be told about a task, and why',
  description:
    'The description, project.md, conventions.md, what is relevant of context/ and of the code, what was said, what the ' +
    'tasks before it came to, what was decided and what failed, within the limits of [prompt] in ringmaster.toml. Every ' +
    'assembly is recorded.',
  inherits: shared,
  arguments: [taskArgument],
  options: {
    explain: { type: 'boolean', summary: 'Instead of the text: what was considered, what was taken, and why' },
    recorded: { type: 'boolean', summary: 'Explain the last prompt that was assembled, without assembling another' },
    budget: { type: 'integer', summary: 'Tokens, instead of what ringmaster.toml says', value: 'tokens', min: 500 },
  },
  examples: [
    { command: 'ringmaster prompt bd-a3f8.1', summary: 'The prompt as it would be sent now' },
    { command: 'ringmaster prompt bd-a3f8.1 --explain', summary: 'Why it contains what it contains' },
    { command: 'ringmaster prompt bd-a3f8.1 --recorded', summary: 'What the last worker was told' },
  ],
  load: () => import('../commands/prompt.ts'),
});
