import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { shared } from './command.ts';
import { fileCommands } from './files.ts';
import { historyCommands } from './history.ts';
import { notebookCommands } from './notebooks.ts';
import { noteCommands } from './notes.ts';
import { queueCommands } from './queue.ts';
import { remoteCommands } from './remotes.ts';

/**
 * The command `holdfast notebooks`. Its name and summary are in the package `holdfast`, which lists them without
 * loading this module.
 */
export const codexCommands: Omit<CommandSpec, 'name' | 'summary'> = {
  description:
    'Changes go through a durable queue. A running server processes the queue; without a server, each command ' +
    'processes the queue itself. Without --notebook, commands use the notebook that contains the current folder, or ' +
    'the only notebook.',
  sharedOptions: shared,
  commands: [
    ...notebookCommands,
    ...fileCommands,
    ...noteCommands,
    ...historyCommands,
    ...queueCommands,
    ...remoteCommands,
    defineCommand({
      name: 'mcp',
      summary: 'Serve notebooks to an agent over standard input and output',
      description: 'Offers Model Context Protocol tools to read, write and search files and to show their history.',
      inherits: shared,
      load: () => import('./mcp.ts'),
    }),
  ],
  examples: [
    { command: 'holdfast notebooks add notes', summary: 'Create a notebook in the data home' },
    { command: "holdfast notebooks write today.md --content 'Hello'", summary: 'Write a file and commit it to git' },
    { command: 'holdfast notebooks history today.md', summary: 'Show the history of the file' },
  ],
};
