import { failpoint, parseStoredList } from '@holdfast/base';

import {
  createPullRequest,
  findPullRequest,
  pushBranch,
  remoteOf,
  type SeenPullRequest,
  viewPullRequest,
} from '../adapters/github.ts';
import { currentBranch, isIn } from '../adapters/merge.ts';
import { commitOf } from '../adapters/worktree.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import type { PullRequest } from '../operations/pull-requests.ts';
import { runsOfTask, updateRun } from '../store/attempt-runs.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import {
  pullRequestOf,
  pullRequestsToSync,
  putPush,
  type StoredPullRequest,
  updatePullRequest,
} from '../store/pull-requests.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { closeEpics } from './epics.ts';
import { latestWork } from './merge.ts';
import { addFeedback, reopen } from './review.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/** Publishes one task, or reads the state of all pull requests. */
export async function publish(
  rm: Ringmaster,
  { task, sync = false }: { readonly task?: string | undefined; readonly sync?: boolean | undefined },
): Promise<readonly PullRequest[]> {
  if ((task === undefined) !== sync) throw ringmasterErrors.TEXT_INVALID('Give either a task or --sync');
  if (task !== undefined) await publishTask(rm, task);
  const rows = task === undefined ? pullRequestsToSync(rm.store.reader) : [stored(rm, task)];
  for (const row of rows) await syncOne(rm, row);
  return rows.map(({ task_id }) => stored(rm, task_id));
}

function stored({ store }: Ringmaster, task: string): StoredPullRequest {
  const row = pullRequestOf(store.reader, task);
  if (row === undefined) throw ringmasterErrors.TASK_NOT_FOUND(`${task} has no pull request`);
  return row;
}

/** Pushes the work and opens the pull request, unless it exists. A repeated call continues after an interruption. */
async function publishTask(rm: Ringmaster, id: string): Promise<void> {
  const task = existingTask(rm.store.reader, id);
  const before = pullRequestOf(rm.store.reader, id);
  if (before?.state === 'merged') return;
  const run = latestWork(rm, id);
  const remote = remoteOf(run.repository);
  // One branch for all attempts of the task, so that later work updates the same pull request.
  const branch = `ringmaster/${id}`;
  const commit = await commitOf(run.repository, `refs/heads/${run.branch}`);
  if (commit === undefined) throw ringmasterErrors.NOTHING_TO_MERGE(`The branch ${run.branch} of ${id} is gone`);
  const target = { folder: run.repository, url: remote.url, branch, commit };
  await pushBranch({ ...target, expected: before?.pushed_commit ?? '' });
  failpoint('ringmaster.pr.pushed');
  const { repository } = remote;
  await rm.store.write(`run ${id}: pushed`, (tx) =>
    putPush(tx, { task_id: id, repository, branch, pushed_commit: commit }),
  );
  if ((await findPullRequest(repository, branch)) === undefined) {
    const base = await currentBranch(run.repository);
    await createPullRequest({ repository, branch, base, title: task.title, body: bodyOf(task) });
    failpoint('ringmaster.pr.created');
  }
  const found = await findPullRequest(repository, branch);
  if (found === undefined) throw ringmasterErrors.GITHUB_FAILED(`gh created no pull request for ${branch}`);
  const { number, url } = found;
  await rm.store.write(`run ${id}: pull request`, (tx) => {
    const isNew = pullRequestOf(tx, id)?.number !== number;
    updatePullRequest(tx, id, { number, url, state: 'open' });
    const data = { url, branch, commit };
    if (isNew) recordEvent(tx, callOf(rm), { type: 'pull_request_opened', entity: 'task', id, data });
  });
}

function bodyOf({ id, description, external_ref: reference }: Task): string {
  const isIssue = /^https:\/\/[^/]+\/[^/]+\/[^/]+\/issues\/\d+$/.test(reference ?? '');
  const parts = [description ?? '', isIssue ? `Closes ${reference}` : '', `Task ${id} of ringmaster`];
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

/** Stores new review comments for the next prompt. Completes the task of a merged pull request. */
async function syncOne(rm: Ringmaster, { task_id: id, number, repository }: StoredPullRequest): Promise<void> {
  if (number === null) return;
  const seen = await viewPullRequest(repository, number);
  const isLocal = await hasMerge(rm, id, seen.mergeCommit);
  await rm.store.write(`run ${id}: pull request`, (tx) => {
    const row = pullRequestOf(tx, id);
    // Changes nothing while a worker has the task. A sync after its report stores the comments.
    if (row === undefined || liveAttemptOfTask(tx, id) !== undefined) return;
    const call = callOf(rm);
    const known = new Set(parseStoredList(row.feedback) as readonly string[]);
    const comments = seen.comments.filter((comment) => !known.has(comment.id));
    for (const { author, text } of comments)
      addFeedback(tx, call, id, `Review of pull request #${number} by ${author}: ${text}`);
    const feedback = JSON.stringify([...known, ...comments.map((comment) => comment.id)]);
    updatePullRequest(tx, id, { feedback, state: states[seen.state], merge_commit: seen.mergeCommit });
    if (seen.state === 'MERGED') completeMerged(tx, call, row, { ...seen, isLocal });
    else if (seen.state === 'OPEN' && seen.asksForChanges && comments.length > 0)
      reopen(tx, call, id, { url: row.url });
  });
}

const states = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;

/** Returns whether the checked-out branch contains the merge commit. */
async function hasMerge(rm: Ringmaster, id: string, commit: string | null): Promise<boolean> {
  const repository = runsOfTask(rm.store.reader, id).find((run) => run.repository !== null)?.repository ?? null;
  return commit !== null && repository !== null && (await isIn(repository, commit, 'HEAD'));
}

/**
 * Completes the task. Its work counts as merged only when the local branch contains the merge; until then, tasks that
 * depend on it start with its branch.
 */
function completeMerged(
  tx: Tx,
  call: Call,
  { task_id: id, url, state }: StoredPullRequest,
  { mergeCommit, isLocal }: SeenPullRequest & { readonly isLocal: boolean },
): void {
  for (const run of isLocal ? runsOfTask(tx, id) : []) {
    if (run.branch !== null) updateRun(tx, run.attempt_id, { merged_at: call.now, merge_commit: mergeCommit });
  }
  if (state === 'merged') return;
  const data = { url, commit: mergeCommit };
  recordEvent(tx, call, { type: 'task_merged', entity: 'task', id, data });
  if (existingTask(tx, id).status === 'done') return;
  updateTask(tx, id, { status: 'done', completed_at: call.now, blocked_reason: null });
  closeEpics(tx, call, existingTask(tx, id));
}
