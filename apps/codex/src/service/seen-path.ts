import { MINUTE } from '@holdfast/base';

import { Tree } from '../adapters/tree.ts';
import type { Notebook } from '../model/notebook.ts';
import { type NotebookPath, observedPath } from '../model/path.ts';
import type { Engine } from './engine.ts';
import { isKnown, knownPath } from './known-path.ts';

const WAIT_MS: number = 10 * MINUTE;

/**
 * The path of something that somebody sees in the folder. Without a server nobody may have looked since it was put there;
 * then the folder is compared with the index first.
 */
export async function seenPath(engine: Engine, notebook: Notebook, input: string): Promise<NotebookPath> {
  const { reader } = engine.codex.store;
  if (!isKnown(reader, notebook.id, input) && isInFolder(notebook, input)) await engine.reconcile(notebook, WAIT_MS);
  return knownPath(reader, notebook.id, input);
}

function isInFolder(notebook: Notebook, input: string): boolean {
  const seen = observedPath(input);
  if (!('path' in seen)) return false;
  using tree = new Tree(notebook.path);
  return tree.state(seen.path) !== undefined;
}
