import { failpoint, isHoldfastError, parseStoredList, SECOND } from '@holdfast/base';

import { fileExists } from '../adapters/files.ts';
import { type Diff, readDiff } from '../adapters/git.ts';
import { currentBranch, isIn, mergeBranch } from '../adapters/merge.ts';
import { branchesBelow, commitOf, deleteBranch } from '../adapters/worktree.ts';
import { MERGE_BY_HAND, mergeAnswers, waitsForMerge } from '../model/decisions.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import {
  type BegunRun,
  type DependencyWork,
  hasBegun,
  mergedBranches,
  type OpenRun,
  pendingMerges,
  runsOfTask,
  updateRun,
} from '../store/attempt-runs.ts';
import { recordEvent } from '../store/events.ts';
import { openDecision } from '../store/inquiries.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { closeEpics } from './epics.ts';
import { resolveInquiry } from './inquiries.ts';
import { insertInquiry } from './insert-inquiry.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import type { Supervisor } from './run/supervisor.ts';

export interface Merged {
  readonly task_id: string;
  readonly branch: string;
  readonly into: string;
  readonly commit: string;
}

/** Merges a task's work into the project's branch. A conflict leaves the branch unchanged and opens a decision. */
export async function mergeTask(
  rm: Ringmaster,
  { task: id, into: wanted }: { readonly task: string; readonly into?: string | undefined },
): Promise<Merged> {
  const task = existingTask(rm.store.reader, id);
  const run = latestWork(rm, id);
  const { repository, branch } = run;
  const into = wanted ?? (await currentBranch(repository));
  if (into === undefined || (await commitOf(repository, `refs/heads/${into}`)) === undefined) {
    throw ringmasterErrors.BRANCH_NOT_FOUND(
      into === undefined ? `No branch is checked out in ${repository}` : `${repository} has no branch ${into}`,
    );
  }
  const message = `Merge ${id}: ${task.title}`;
  const result = await mergeBranch({ repository, branch, into, message });
  failpoint('ringmaster.merge.moved');
  if (result.kind === 'conflict') throw await decisionAbout(rm, id, { into, branch, files: result.files });
  const included = await includedWork(rm, run, into);
  await rm.store.write(`run ${id}: merged`, (tx) => {
    const call = callOf(rm);
    const merged = { merged_at: call.now, merge_commit: result.commit };
    for (const one of runsOfTask(tx, id)) {
      if (one.branch !== null) updateRun(tx, one.attempt_id, merged);
    }
    const data = { branch, into, commit: result.commit };
    recordEvent(tx, call, { type: 'task_merged', entity: 'task', id, data });
    for (const one of included) {
      updateRun(tx, one.attempt_id, merged);
      recordEvent(tx, call, {
        type: 'task_merged',
        entity: 'task',
        id: one.task_id,
        data: { ...data, branch: one.branch, with: id },
      });
    }
    const decision = openDecision(tx, id);
    // A person has merged the work before answering the decision about it.
    if (decision !== undefined && existingTask(tx, id).blocked_reason === waitsForMerge(decision)) {
      resolveInquiry(tx, call, decision, MERGE_BY_HAND);
    }
    if (existingTask(tx, id).status !== 'review') return;
    updateTask(tx, id, { status: 'done', completed_at: call.now });
    closeEpics(tx, call, task);
  });
  failpoint('ringmaster.merge.recorded');
  for (const one of [id, ...included.map(({ task_id }) => task_id)]) await deleteMerged(rm, one, into);
  return { task_id: id, branch, into, commit: result.commit };
}

/** Returns the dependencies' runs whose work was merged together with this branch. */
async function includedWork(rm: Ringmaster, run: OpenRun & BegunRun, into: string): Promise<readonly OpenRun[]> {
  const works = parseStoredList(run.dependencies ?? '[]') as readonly DependencyWork[];
  const runs = works.flatMap(({ task, branch }) =>
    runsOfTask(rm.store.reader, task).filter((one) => one.branch === branch && one.merged_at === null),
  );
  const merged: OpenRun[] = [];
  for (const one of runs) {
    const head = await commitOf(run.repository, `refs/heads/${one.branch}`);
    if (head !== undefined && (await isIn(run.repository, head, into))) merged.push(one);
  }
  return merged;
}

export function latestWork(rm: Ringmaster, id: string): OpenRun & BegunRun {
  const runs = runsOfTask(rm.store.reader, id);
  if (runs.some(({ ended_at }) => ended_at === null)) {
    throw ringmasterErrors.TASK_RUNNING(`A worker is working on ${id}`);
  }
  const run = runs.find(hasBegun);
  if (run === undefined || run.head_commit === run.base_commit || (run.merged_at ?? run.dropped_at) !== null) {
    throw ringmasterErrors.NOTHING_TO_MERGE(`${id} has no unmerged work`);
  }
  return run;
}

interface Conflict {
  readonly into: string;
  readonly branch: string;
  readonly files: readonly string[];
}

async function decisionAbout(rm: Ringmaster, id: string, conflict: Conflict): Promise<Error> {
  const { into, branch, files } = conflict;
  const names = files.join(', ');
  const question = `${branch} and ${into} changed the same lines. How should ${id} continue?`;
  const asked = await askAboutMerge(rm, id, { question, context: `Conflicts in: ${names}`, data: conflict });
  return ringmasterErrors.MERGE_CONFLICT(`${branch} cannot be merged into ${into}: conflicts in ${names}`, {
    details: { files, decision: asked.id },
    hint: `Nothing was merged. Answer the decision: ringmaster answer ${asked.id} '…'`,
  });
}

interface MergeProblem {
  readonly question: string;
  readonly context: string;
  readonly data: object;
}

/** Opens a decision and blocks the task until it is answered. Both branches stay unchanged. */
function askAboutMerge(rm: Ringmaster, task: string, { question, context, data }: MergeProblem): Promise<Task> {
  return rm.store.write(`run ${task}: not merged`, (tx) => {
    const call = callOf(rm);
    const options = Object.keys(mergeAnswers);
    const recommendation = MERGE_BY_HAND;
    const asked = insertInquiry(tx, call, { task, kind: 'decision', question, context, options, recommendation });
    updateTask(tx, task, { status: 'blocked', blocked_reason: waitsForMerge(asked.id) });
    recordEvent(tx, call, { type: 'merge_conflict', entity: 'task', id: task, data });
    return asked;
  });
}

async function deleteMerged(rm: Ringmaster, id: string, into: string): Promise<void> {
  for (const { repository, branch } of runsOfTask(rm.store.reader, id)) {
    if (repository === null || branch === null) continue;
    const commit = await commitOf(repository, `refs/heads/${branch}`);
    if (commit === undefined || branch === into || !(await isIn(repository, commit, into))) continue;
    await deleteBranch(repository, branch, commit);
  }
}

/** Deletes branches of merged work that a supervisor left behind when it died. */
export async function deleteMergedBranches(rm: Ringmaster): Promise<void> {
  for (const [repository, merged] of mergedBranches(rm.store.reader)) {
    if (!fileExists(repository)) continue;
    for (const { branch, commit } of await branchesBelow(repository, 'refs/heads/ringmaster/')) {
      const mergeCommit = merged.get(branch);
      if (mergeCommit === undefined || !(await isIn(repository, commit, mergeCommit))) continue;
      await deleteBranch(repository, branch, commit);
    }
  }
}

const TRIES_MAX = 5;
const RETRY_AFTER = SECOND;

type Merging = Pick<Supervisor, 'rm' | 'tell' | 'monotonic'>;

/**
 * Merges finished work if the settings say so, including work that an earlier supervisor left. Retries a failed merge,
 * because another git process may hold the index lock. Asks a person if the merge still fails.
 */
export class PendingMerges {
  readonly #supervisor: Merging;
  readonly #failed = new Map<string, { readonly tries: number; readonly retryAt: number }>();

  constructor(supervisor: Merging) {
    this.#supervisor = supervisor;
  }

  /** Returns whether merges are pending. No task starts until they are done, so that dependents get the merged work. */
  exist(): boolean {
    return pendingMerges(this.#supervisor.rm.store.reader).length > 0;
  }

  /** `isBusy` returns whether an attempt of the task is still being cleaned up. */
  async merge(isBusy: (task: string) => boolean): Promise<void> {
    const { rm, monotonic } = this.#supervisor;
    for (const { task_id } of pendingMerges(rm.store.reader)) {
      const isDue = monotonic() >= (this.#failed.get(task_id)?.retryAt ?? -Infinity);
      if (isDue && !isBusy(task_id)) await this.#try(task_id);
    }
  }

  async #try(task: string): Promise<void> {
    const { rm, tell, monotonic } = this.#supervisor;
    const tries = (this.#failed.get(task)?.tries ?? 0) + 1;
    this.#failed.delete(task);
    try {
      const { into } = await mergeTask(rm, { task });
      tell({ kind: 'note', task, text: `merged into ${into}` });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      tell({ kind: 'problem', task, text });
      // A conflict has already become a decision.
      if (isHoldfastError(error, 'MERGE_CONFLICT')) return;
      if (tries < TRIES_MAX) this.#failed.set(task, { tries, retryAt: monotonic() + RETRY_AFTER });
      else {
        const question = `The work of ${task} cannot be merged. How should it continue?`;
        await askAboutMerge(rm, task, { question, context: text, data: { reason: text } });
      }
    }
  }
}

export interface TaskDiff extends Diff {
  readonly attempt: number;
  readonly branch: string;
  readonly base_commit: string;
  readonly head_commit: string | null;
  readonly merged_at: string | null;
  readonly is_live: boolean;
}

/**
 * Returns the changes made by the running attempt. If no attempt is running, returns the changes made by the last
 * attempt that left work.
 */
export async function taskDiff({ store }: Ringmaster, { task: id }: { readonly task: string }): Promise<TaskDiff> {
  const task = existingTask(store.reader, id);
  const branched = runsOfTask(store.reader, task.id).filter(hasBegun);
  const run = branched.find((one) => isLive(one) || one.head_commit !== one.base_commit) ?? branched[0];
  if (run === undefined) {
    throw ringmasterErrors.NOTHING_TO_MERGE(`No attempt of ${id} used a branch`, {
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

function isLive({ ended_at, settled_at, folder }: OpenRun): boolean {
  return ended_at === null && settled_at === null && fileExists(folder);
}
