import { type CommandSpec, commandsFor, defineCommand } from '@holdfast/cli';

import type { Databases } from '../adapters/databases.ts';
import { listDatabases } from '../operations/databases.ts';

const command = commandsFor<Databases>({
  shared: {},
  open: async () => (await import('./with-databases.ts')).withDatabases,
});

const databases = command(listDatabases, {
  name: 'databases',
  group: 'Databases',
  print: ({ data }, page) => {
    if (data.length === 0) page.line('No databases yet. Each application creates its own on first use.');
    else
      page.table(data, [
        { heading: 'NAME', value: ({ name }) => name },
        { heading: 'KIND', value: ({ kind }) => kind ?? '' },
        { heading: 'REVISION', value: ({ revision }) => revision ?? '', align: 'right' },
        { heading: 'BYTES', value: ({ bytes, log_bytes }) => bytes + log_bytes, align: 'right' },
        { heading: 'LAST COMMIT', value: ({ last_commit_at }) => last_commit_at ?? 'none' },
        { heading: 'PROBLEM', value: ({ problem }) => problem?.message ?? '', flexible: true },
      ]);
  },
});

const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve database tools to an agent over MCP (standard input and output)',
  group: 'Databases',
  load: () => import('./with-databases.ts'),
});

export const databaseCommands: readonly CommandSpec[] = [databases, mcp];
