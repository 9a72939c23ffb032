import { type CommandSpec, defineCommand } from '@holdfast/cli';

export const notebooks: CommandSpec = defineCommand({
  name: 'notebook',
  summary: 'Add, show and remove notebooks',
  commands: [
    defineCommand({
      name: 'add',
      summary: 'Make a folder a notebook, with a git repository',
      arguments: [
        { name: 'name', summary: 'Its name' },
        {
          name: 'folder',
          summary: 'Its folder; one below the data home if left out',
          optional: true,
          complete: 'directory',
        },
      ],
      examples: [{ command: 'holdfast codex notebook add lab ~/lab', summary: 'A folder that is there already' }],
      load: () => import('../commands/notebook-add.ts'),
    }),
    defineCommand({ name: 'list', summary: 'Show all notebooks', load: () => import('../commands/notebook-list.ts') }),
    defineCommand({
      name: 'remove',
      summary: 'Forget a notebook; its files and their history stay',
      arguments: [{ name: 'name', summary: 'Name or number' }],
      load: () => import('../commands/notebook-remove.ts'),
    }),
  ],
});
