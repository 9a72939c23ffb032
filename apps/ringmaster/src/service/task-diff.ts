import { fileExists } from '../adapters/files.ts';
import { type Diff, readDiff } from '../adapters/diff.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { type OpenRun, runsOfTask } from '../store/attempt-runs.ts';
import { existingTask } from '../store/tasks.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface TaskDiff extends Diff {
  readonly attempt: number;
  readonly branch: string;
  readonly base_commit: string;
  readonly head_commit: string | null;
  readonly merged_at: string | null;
  /** The attempt is still running. */
  readonly is_live: boolean;
}

type Branched = OpenRun & { readonly repository: string; readonly branch: string; readonly base_commit: string };

/** Changes of the last attempt that left work, or of the running one so far. */
export async function taskDiff({ store }: Ringmaster, { task: id }: { readonly task: string }): Promise<TaskDiff> {
  const task = existingTask(store.reader, id);
  const branched = runsOfTask(store.reader, task.id).filter(hasBranch);
  const run = branched.find((one) => isLive(one) || one.head_commit !== one.base_commit) ?? branched[0];
  if (run === undefined) {
    throw ringmasterErrors.NOTHING_TO_MERGE(`No attempt of ${id} worked on a branch`, {
      hint: 'Attempts have branches only in a git repository.',
    });
  }
  const { number, repository, folder, branch, base_commit, head_commit, merged_at } = run;
  const live = isLive(run);
  const diff = await readDiff(
    live
      ? { folder, from: base_commit }
      : { folder: repository, from: base_commit, to: head_commit ?? `refs/heads/${branch}` },
  );
  return { attempt: number, branch, base_commit, head_commit, merged_at, is_live: live, ...diff };
}

function hasBranch(run: OpenRun): run is Branched {
  return run.repository !== null && run.branch !== null && run.base_commit !== null;
}

function isLive({ ended_at, settled_at, folder }: OpenRun): boolean {
  return ended_at === null && settled_at === null && fileExists(folder);
}
