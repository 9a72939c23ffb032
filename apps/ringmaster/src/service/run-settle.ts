import { failpoint } from '@holdfast/base';

import { fileExists } from '../adapters/files.ts';
import { killRun } from '../adapters/processes.ts';
import { clearLocks, commitOf, commitWork, deleteBranch, removeWorktree } from '../adapters/worktree.ts';
import { type OpenRun, updateRun } from '../store/attempt-runs.ts';
import { iterationsOfAttempt } from '../store/iterations.ts';
import { existingTask } from '../store/tasks.ts';
import { timeText } from '../model/time.ts';
import type { Ringmaster } from './ringmaster.ts';
import { interruptTurn } from './run-interrupt.ts';

/**
 * The end of a run that has no attempt any more: nothing of it runs, its work is committed on its branch, its worktree is
 * gone, and a branch without work too. May be done again after it was cut short anywhere.
 */
export async function settleRun(rm: Ringmaster, run: OpenRun): Promise<void> {
  killRun(`${run.supervisor_id}.${run.attempt_id}.`);
  for (const turn of iterationsOfAttempt(rm.store.reader, run.attempt_id)) {
    if (turn.ended_at === null) await interruptTurn(rm, turn);
  }
  if (fileExists(run.folder)) await clearLocks(run.folder);
  const head = await keepWork(rm, run);
  failpoint('ringmaster.run.kept');
  await removeRun(rm, head === undefined ? run : { ...run, head_commit: head });
}

/** Commits what is there. Undefined when there is no worktree that something could be in. */
export async function keepWork(rm: Ringmaster, run: OpenRun): Promise<string | undefined> {
  if (run.repository === null || run.base_commit === null || !fileExists(run.folder)) return undefined;
  const { title } = existingTask(rm.store.reader, run.task_id);
  return commitWork(
    run.folder,
    `${run.task_id}: ${title}\n\nAttempt ${run.number} of ringmaster, by ${run.worker_id}.`,
  );
}

/** Removes the worktree of a run whose work is kept. */
export async function removeRun(rm: Ringmaster, run: OpenRun): Promise<void> {
  const { repository, branch, base_commit, head_commit } = run;
  if (repository !== null && branch !== null) {
    await removeWorktree(repository, run.folder);
    failpoint('ringmaster.run.removed');
    // One that was never ready has nobody's work in it.
    const empty = base_commit === null ? await commitOf(repository, `refs/heads/${branch}`) : base_commit;
    const isEmpty = base_commit === null || head_commit === base_commit;
    if (isEmpty && empty !== undefined) await deleteBranch(repository, branch, empty);
  }
  await rm.store.write(`run ${run.task_id}: settled`, (tx) => {
    updateRun(tx, run.attempt_id, { settled_at: timeText(rm.clock()), head_commit });
  });
}
