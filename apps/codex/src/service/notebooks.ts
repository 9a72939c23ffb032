import { delimiter, join } from 'node:path';
import { toTimestamp } from '@holdfast/base';

import { prepareNotebookFolder } from '../adapters/notebook-folder.ts';
import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import { pathProblem } from '../model/path.ts';
import { beginRemoval, deleteNotebook, insertNotebook, requireFree } from '../store/notebooks.ts';
import { dropNotebookNotes } from '../store/notes/put-notes.ts';
import type { CodexContext } from './context.ts';

const NAME_LENGTH_MAX = 100;

export interface NewNotebook {
  readonly name: string;
  /** Absolute; a folder below the data home when it is left out. */
  readonly path?: string | undefined;
}

/** Whoever may write notes may add notebooks, but only an administrator may choose any folder of the machine. */
export const ADMINISTRATION = 'app:codex:admin';

export async function addNotebook(
  codex: CodexContext,
  { name, path }: NewNotebook,
  caller: { readonly permissions?: readonly string[] | undefined } = {},
): Promise<Notebook> {
  const problem = name.includes('/') ? 'has a slash' : pathProblem(name);
  if (problem !== undefined || name.length > NAME_LENGTH_MAX) {
    throw codexErrors.PATH_INVALID(`The name ${JSON.stringify(name)} ${problem ?? 'is too long'}`);
  }
  const roots = codex.settings.roots.split(delimiter).filter((root) => root !== '');
  const folder = prepareNotebookFolder(path ?? join(codex.home, 'notebooks', name), {
    home: codex.home,
    roots,
    isRestricted: caller.permissions?.includes(ADMINISTRATION) === false,
    // Refused before anything is made in it; asked once more when it is stored, because two may ask at once.
    requireFree: (place) => requireFree(codex.store.reader, name, place),
  });
  return codex.store.write('codex add notebook', (tx) => insertNotebook(tx, name, folder, toTimestamp(codex.clock())));
}

export interface RemovalPorts {
  /** Ends watcher, lane and git of the notebook, in this order. */
  retire(notebookId: number): Promise<void>;
}

/** It takes nothing new from the first step on; its files and its repository stay where they are. */
export async function removeNotebook(codex: CodexContext, notebook: Notebook, ports: RemovalPorts): Promise<void> {
  await codex.store.write('codex close notebook', (tx) => beginRemoval(tx, notebook.id));
  await ports.retire(notebook.id);
  const removed = codex.store.write('codex remove notebook', (tx) => deleteNotebook(tx, notebook.id));
  await Promise.all([removed, codex.store.derive((tx) => dropNotebookNotes(tx, notebook.id))]);
}
