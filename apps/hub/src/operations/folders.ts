import { httpErrors } from '@holdfast/http';
import { list, nullable, object, operationsOf, optional, text } from '@holdfast/operation';

import type { Folders } from '../adapters/folders.ts';

const defineOperation = operationsOf<Folders>();

export const listFolders = defineOperation({
  name: 'folder.list',
  summary: 'List the folders inside a folder on the server, so that a person can choose one',
  description:
    'Without a path, lists the folders in notebook_roots, or the home directory of the user that runs the server.',
  permission: 'system:read',
  input: {
    path: optional(text('Absolute path of the folder to list; default: the top folders', { min: 1, max: 4_096 })),
  },
  output: object({
    path: nullable(text()),
    parent: nullable(text('Parent folder; null if it may not be listed')),
    folders: list(object({ name: text(), path: text() })),
  }),
  errors: [httpErrors.FOLDER_NOT_OFFERED],
  absent: { cli: 'The shell completes folders', mcp: 'Agents have their own tools for files' },
  run:
    async () =>
    (folders, { path }) =>
      Promise.resolve(folders.list(path)),
});
