import { resolve } from 'node:path';

import { delay, failpoint, isWorking, SECOND } from '@holdfast/base';

import { fileExists, inside, makeFolders, pathBelow } from '../../adapters/files.ts';
import { addWorktree, repositoryAt, repositoryProblem } from '../../adapters/worktree.ts';
import { PORT_MAX } from '../../model/config.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import {
  type AttemptRun,
  freePorts,
  type NewRun,
  type OpenRun,
  runOf,
  runsOfTask,
  updateRun,
} from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt } from '../../store/attempts.ts';
import { recordEvent } from '../../store/events.ts';
import type { Tx } from '../../store/open.ts';
import { listProjects } from '../../store/projects.ts';
import { listWorkers } from '../../store/workers.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { isRunnable, type RunSettings, settingsFor } from './settings.ts';
import { settleRun } from './settle.ts';
import type { Supervisor } from './supervisor.ts';

export type Made = Pick<AttemptRun, 'base_commit' | 'head_commit'>;

/** Returns the row for a new attempt that this supervisor runs. */
export function newRun(tx: Tx, supervisor: Supervisor, attempt: Attempt, folder: string): NewRun {
  const { id, identity, rm } = supervisor;
  const { first_port: first, ports_per_worktree: count } = rm.config.run;
  return {
    attempt_id: attempt.id,
    supervisor_id: id,
    supervisor_pid: identity.pid,
    supervisor_start: identity.start,
    supervisor_boot: identity.boot,
    ...plannedFolder(supervisor, attempt, folder),
    ...freePorts(tx, { first, count, max: PORT_MAX }),
    base_commit: null,
  };
}

/** Returns the folder and branch of an attempt in a known repository. The claim stores them before they are created. */
function plannedFolder(
  { rm, repositories }: Supervisor,
  attempt: Attempt,
  folder: string,
): Pick<AttemptRun, 'folder' | 'repository' | 'branch'> {
  const repository = repositories.get(folder);
  if (repository === undefined) return { folder: '', repository: null, branch: null };
  return { folder: worktreePath(rm, attempt), repository, branch: branchName(attempt) };
}

/**
 * Prepares the attempt's folder: in a git repository, a worktree with its own branch; elsewhere, the folder itself.
 * Stores the plan before creating anything, so that every folder and branch is known after a crash.
 */
export async function prepareFolder(
  supervisor: Supervisor,
  attempt: Attempt,
  settings: RunSettings,
): Promise<Made | undefined> {
  const { rm, source, repositories } = supervisor;
  const { run } = rm.config;
  await settleEarlierRuns(supervisor, attempt);
  const known = repositories.get(settings.folder);
  const repository = run.use_git ? await repositoryAt(settings.folder, run.base, known) : undefined;
  if (repository === undefined) {
    await requireUsableFolder(rm, settings.folder);
    return preparePlain(rm, attempt, settings.folder);
  }
  repositories.set(settings.folder, repository.root);
  const planned = plannedFolder(supervisor, attempt, settings.folder);
  const { folder, branch } = { folder: worktreePath(rm, attempt), branch: branchName(attempt) };
  const start = await source.startingPoint(attempt, repository);
  const dependencies = start.dependencies.length === 0 ? null : JSON.stringify(start.dependencies);
  const before = runOf(rm.store.reader, attempt.id);
  if (before?.folder !== folder || before.dependencies !== dependencies) {
    await rm.store.write(`run ${attempt.task_id}: folder`, (tx) => {
      liveAttempt(tx, attempt.id);
      updateRun(tx, attempt.id, { ...planned, dependencies });
      if (dependencies === null) return;
      const data = { token: attempt.id, commit: start.base, dependencies: start.dependencies };
      recordEvent(tx, callOf(rm), { type: 'dependencies_included', entity: 'task', id: attempt.task_id, data });
    });
  }
  failpoint('ringmaster.run.planned');
  // In the sandbox, branches are read-only, so the worker commits on a detached HEAD.
  const isDetached = run.sandbox === 'bwrap';
  const empty = await addWorktree({ repository: repository.root, path: folder, branch, from: start.from, isDetached });
  for (const { path, why } of empty) {
    supervisor.tell({ kind: 'problem', task: attempt.task_id, text: `The submodule ${path} is empty: ${why}` });
  }
  failpoint('ringmaster.run.worktree');
  return { base_commit: start.base, head_commit: start.from };
}

/**
 * Throws FOLDER_NOT_USABLE for a repository without the base commit, because workers would edit the user's checkout.
 */
async function requireUsableFolder({ config }: Ringmaster, folder: string): Promise<void> {
  if (!config.run.use_git || !fileExists(folder)) return;
  const problem = await repositoryProblem(folder, config.run.base);
  if (problem !== undefined) throw ringmasterErrors.FOLDER_NOT_USABLE(`${folder} ${problem}`);
}

/** Checks the folders of all projects, or of one, before any task is claimed. */
export async function requireUsableFolders(rm: Ringmaster, project: string | undefined): Promise<void> {
  const projects = listProjects(rm.store.reader).filter(({ id }) => project === undefined || id === project);
  const workers = listWorkers(rm.store.reader).filter(isRunnable);
  const folders = projects.flatMap(({ id }) => workers.map((worker) => settingsFor(rm, id, worker.id).folder));
  for (const folder of new Set(folders)) await requireUsableFolder(rm, folder);
}

async function preparePlain(rm: Ringmaster, attempt: Attempt, folder: string): Promise<undefined> {
  const isRefused = rm.config.run.plain_folder === 'refuse';
  if (isRefused || !fileExists(folder)) {
    const why = isRefused ? 'is not a git repository with a commit' : 'does not exist';
    throw ringmasterErrors.FOLDER_NOT_USABLE(`${folder} ${why}`);
  }
  await rm.store.write(`run ${attempt.task_id}: folder`, (tx) => {
    liveAttempt(tx, attempt.id);
    updateRun(tx, attempt.id, { folder, repository: null, branch: null });
  });
  return undefined;
}

/** Returns the name of the branch. It never ends in `.lock`, which git does not allow. */
export function branchName({ task_id, number }: Pick<Attempt, 'task_id' | 'number'>): string {
  return `ringmaster/${task_id}-a${number}`;
}

function worktreePath(rm: Ringmaster, { task_id, number }: Attempt): string {
  const root = resolve(rm.workspace.root, rm.config.run.worktrees_path);
  return inside(root, `${task_id}-a${number}`);
}

async function settleEarlierRuns(supervisor: Supervisor, attempt: Attempt): Promise<void> {
  const earlier = runsOfTask(supervisor.rm.store.reader, attempt.task_id).filter(
    (run) => run.attempt_id !== attempt.id && run.settled_at === null && run.ended_at !== null,
  );
  for (const run of earlier) {
    await waitForOwner(supervisor, run);
    await settleRun(supervisor.rm, run);
  }
}

const OWNER_SECONDS_MAX = 10;

/**
 * Waits until a live supervisor that lost the task has settled its attempt, so that the two supervisors do not
 * interfere.
 */
async function waitForOwner({ rm, id }: Supervisor, run: OpenRun): Promise<void> {
  const { supervisor_id, supervisor_pid: pid, supervisor_start: start, supervisor_boot: boot } = run;
  const isLeft = (): boolean => runOf(rm.store.reader, run.attempt_id)?.settled_at === null;
  for (let waited = 0; waited < OWNER_SECONDS_MAX * SECOND; waited += 50) {
    if (supervisor_id === id || !isWorking({ pid, start, boot }) || !isLeft()) return;
    await delay(50);
  }
}

/** Returns the folder in the worktree that corresponds to the configured folder in the repository. */
export function workingFolder({ folder, repository }: AttemptRun, settings: RunSettings): string {
  if (repository === null) return folder;
  const below = pathBelow(repository, settings.folder);
  if (below === '') return folder;
  makeFolders(folder, [below]);
  return inside(folder, below);
}
