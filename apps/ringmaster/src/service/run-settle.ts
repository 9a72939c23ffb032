import { failpoint } from '@holdfast/base';

import { fileExists } from '../adapters/files.ts';
import { killRun } from '../adapters/processes.ts';
import { clearLocks, commitOf, commitWork, deleteBranches, forgetRemoved, removeFolder } from '../adapters/worktree.ts';
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
  if (run.repository !== null && fileExists(run.folder)) await clearLocks(run.folder);
  const head = (await keepWork(rm, run)) ?? (await branchCommit(run));
  failpoint('ringmaster.run.kept');
  await conclude(rm, [await removeRun(head === undefined ? run : { ...run, head_commit: head })]);
}

/** Where an earlier try that was cut short has removed the folder already, the branch tells how far the work came. */
async function branchCommit({ repository, branch, base_commit }: OpenRun): Promise<string | undefined> {
  if (repository === null || branch === null || base_commit === null) return undefined;
  return commitOf(repository, `refs/heads/${branch}`);
}

/** Commits what is there. Undefined when there is no worktree that something could be in. */
export async function keepWork(rm: Ringmaster, run: OpenRun): Promise<string | undefined> {
  const { repository, branch, base_commit, folder, number, worker_id } = run;
  if (repository === null || branch === null || base_commit === null || !fileExists(folder)) return undefined;
  const { title } = existingTask(rm.store.reader, run.task_id);
  const message = `${run.task_id}: ${title}\n\nAttempt ${number} of ringmaster, by ${worker_id}.`;
  return commitWork(folder, branch, message);
}

/** Removes the worktree of a run whose work is kept. What is left to do is small, and is done for several together. */
async function removeRun(run: OpenRun): Promise<Settled> {
  const { repository, branch, base_commit, head_commit } = run;
  if (repository === null || branch === null) return { run, empty: undefined };
  await removeFolder(run.folder);
  failpoint('ringmaster.run.removed');
  // One that was never ready has nobody's work in it.
  if (base_commit === null) return { run, empty: await commitOf(repository, `refs/heads/${branch}`) };
  return { run, empty: head_commit === base_commit ? base_commit : undefined };
}

interface Settled {
  readonly run: OpenRun;
  /** The commit of a branch that nothing was added to. */
  readonly empty: string | undefined;
}

async function conclude(rm: Ringmaster, settled: readonly Settled[]): Promise<void> {
  const byRepository = new Map<string, { branch: string; expected: string }[]>();
  for (const { run, empty } of settled) {
    if (run.repository === null || run.branch === null) continue;
    const list = byRepository.get(run.repository) ?? [];
    if (empty !== undefined) list.push({ branch: run.branch, expected: empty });
    byRepository.set(run.repository, list);
  }
  for (const [repository, branches] of byRepository) {
    await forgetRemoved(repository);
    if (branches.length > 0) await deleteBranches(repository, branches);
  }
  await rm.store.write(`run: ${settled.length} settled`, (tx) => {
    const settled_at = timeText(rm.clock());
    for (const { run } of settled) updateRun(tx, run.attempt_id, { settled_at, head_commit: run.head_commit });
  });
}

const TOGETHER_MS = 100;

/** Settles runs after their report: the folder at once, branch and note together with those that end at the same time. */
export class Settling {
  readonly #rm: Ringmaster;
  readonly #waiting: Settled[] = [];
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(rm: Ringmaster) {
    this.#rm = rm;
  }

  async remove(run: OpenRun): Promise<void> {
    this.#waiting.push(await removeRun(run));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What fails here is done by the next start.
      this.#last = this.finish().catch(() => undefined);
    }, TOGETHER_MS);
  }

  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#last;
    const settled = this.#waiting.splice(0);
    if (settled.length > 0) await conclude(this.#rm, settled);
  }
}
