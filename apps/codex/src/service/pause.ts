import { gitOperationAt } from '../adapters/git-repository.ts';
import type { Notebook } from '../model/notebook.ts';
import type { NotebookStatus } from '../operations/notebooks.ts';

/**
 * Returns why a notebook's queue is paused; null if it is not. A user can pause the queue, for example to change the
 * branch. A rebase, merge, cherry-pick or bisection also pauses the queue, because git then changes the same files.
 */
export function pauseOf({ state, path, paused_at, paused_by }: Notebook): NotebookStatus['paused'] {
  // A notebook that is being removed finishes its queue even if a user has paused it.
  if (paused_at !== null && state === 'active') return { reason: `Paused by ${paused_by ?? ''}`, is_manual: true };
  const operation = gitOperationAt(path);
  return operation === undefined ? null : { reason: `Paused while ${operation} is in progress`, is_manual: false };
}
