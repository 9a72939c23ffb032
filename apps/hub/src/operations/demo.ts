import { httpErrors } from '@holdfast/http';
import { choice, list, nullable, object, operationsOf, text } from '@holdfast/operation';

import type { DemoContext } from '../service/demo.ts';

const defineOperation = operationsOf<DemoContext>();

const absent = { cli: 'The dashboard offers the example data to new users', mcp: 'For people' } as const;

const demoObject = object({
  folder: nullable(text('Folder that contains the example files; null if there is no demo')),
  apps: list(text(), { summary: 'Applications that have example data' }),
});

export const showDemo = defineOperation({
  name: 'demo.show',
  summary: 'Show which applications have example data',
  permission: 'system:read',
  input: {},
  output: demoObject,
  absent,
  run: async () => {
    const { showDemo: show } = await import('../service/demo.ts');
    return (context) => Promise.resolve(show(context));
  },
});

export const createDemo = defineOperation({
  name: 'demo.create',
  summary: 'Add example data to applications, with files in a new folder',
  permission: 'system:admin',
  input: { apps: list(choice(['np', 'utask', 'codex', 'audiobooks', 'ringmaster']), { min: 1, max: 5 }) },
  output: demoObject,
  errors: [httpErrors.DEMO_EXISTS, httpErrors.FOLDER_NOT_OFFERED],
  absent,
  run: async () => (await import('../service/demo.ts')).createDemo,
});

export const removeDemo = defineOperation({
  name: 'demo.remove',
  summary: 'Remove the example data; files that a person has added or changed stay',
  permission: 'system:admin',
  input: {},
  output: object({ kept: list(text(), { summary: 'Files that stay' }) }),
  absent,
  run: async () => (await import('../service/demo.ts')).removeDemo,
});
