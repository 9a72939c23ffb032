import { createHash } from 'node:crypto';

import { failpoint, isHoldfastError, MEBIBYTE, monotonicClock, SerialQueues } from '@holdfast/base';

import { inside } from '../adapters/files.ts';
import { logSize, openLog } from '../adapters/log-file.ts';
import { sharedCommit } from '../adapters/merge.ts';
import {
  deleteRemoteBranch,
  fetchBranch,
  originOf,
  pushBranch,
  type RemoteBranch,
  setBranch,
  sharedAddress,
} from '../adapters/remote-branch.ts';
import { type Repository, repositoryAt } from '../adapters/worktree.ts';
import { iterationPath } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import type {
  MachineClaim,
  MachineFinish,
  MachineHeartbeat,
  MachineOutput,
  MachineWork,
} from '../operations/machines.ts';
import { hasBegun, insertRun, isOnOtherMachine, OTHER_MACHINE, runOf, unsettledRuns } from '../store/attempt-runs.ts';
import { type Attempt, liveAttempt, liveAttempts } from '../store/attempts.ts';
import { recordEvent } from '../store/events.ts';
import { registerFile } from '../store/files.ts';
import {
  insertIteration,
  type Iteration,
  iterationsOfAttempt,
  lastIterationNumber,
  updateIteration,
} from '../store/iterations.ts';
import { metaText } from '../store/meta.ts';
import type { Store, Tx } from '../store/open.ts';
import { listProjects } from '../store/projects.ts';
import { countReady, existingTask, updateTask } from '../store/tasks.ts';
import { type Finish, finishOf } from '../worker/next-step.ts';
import { reportBudgets } from './budget.ts';
import { deleteMergedBranches, PendingMerges } from './merge.ts';
import { writeTaskFiles } from './projections.ts';
import { assemblePrompt } from './prompt/assemble.ts';
import { claim, finishAttempt, heartbeat, reapExpired } from './queue.ts';
import { refreshRanks } from './rank.ts';
import { whyNoTask } from './ready.ts';
import { type Ringmaster, workerCall } from './ringmaster.ts';
import { endHere, endingOf } from './run/finish.ts';
import { branchName } from './run/folder.ts';
import { type RunSettings, settingsFor } from './run/settings.ts';
import { settleRun } from './run/settle.ts';
import { type StartingPoint, startingPoint } from './run/starting-point.ts';
import { PAUSED, putWorkerOfMachine } from './workers.ts';

/**
 * Services for supervisors on other machines. A machine can change only attempts by its own workers: the workers' ids
 * contain a hash of the machine's key.
 */
type Machine = Pick<MachineHeartbeat, 'machine' | 'key'>;

/**
 * 96 bits: everybody who may list the workers sees the hash, and must not be able to find another key with the same
 * hash.
 */
const HASH_LENGTH = 16;

function workerId({ machine, key }: Machine, worker: string): string {
  return `${worker}${machineSuffix({ machine, key })}`;
}

function machineSuffix({ machine, key }: Machine): string {
  return `.${machine}-${createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH)}`;
}

/**
 * Returns the live attempt of a token. If another machine holds the attempt, throws the same error as for an unknown
 * token.
 */
function ownAttempt(tx: Tx, machine: Machine, token: number): Attempt {
  const attempt = liveAttempt(tx, token);
  if (attempt.worker_id.endsWith(machineSuffix(machine))) return attempt;
  throw ringmasterErrors.ATTEMPT_NOT_FOUND(`This machine has no attempt with the token ${token}`);
}

const RANKS_AGE_MAX = 10_000;

interface ClaimReply {
  readonly work: MachineWork | null;
  readonly reason: string | null;
}

/**
 * Claims a task for a worker of another machine, and pushes the starting point of the attempt to its branch. First
 * releases those of the worker's attempts that the machine does not know, because the replies to their claims were
 * lost.
 */
export async function claimForMachine(rm: Ringmaster, input: MachineClaim): Promise<ClaimReply> {
  const worker = checkId(workerId(input, input.worker));
  await putWorkerOfMachine(rm, worker, input);
  await releaseUnknown(rm, worker, input.held);
  await reapExpired(rm);
  await tidyUp(rm);
  await refreshRanks(rm, { olderThanMs: RANKS_AGE_MAX });
  if (metaText(rm.store.reader, PAUSED) !== '') return none('a person has paused the workers');
  // Tasks that depend on the finished work must start with the merged commit.
  if (mergesOf(rm).exist()) return none('finished work is being merged');
  const why = (): string => whyNoTask(rm, { worker, project: input.project });
  // Checks this first, because machines ask every second, and reading the settings of a repository starts a git
  // process.
  if (countReady(rm.store.reader) === 0) return none(why());
  const unfit = unfitProjects(rm, worker, input);
  const without = unfit.map(({ id }) => id);
  for (;;) {
    const claimed = await claim(rm, { worker, project: input.project, without });
    if (claimed === undefined) {
      return none([...unfit.map(({ reason }) => reason), why()].join('; '));
    }
    failpoint('ringmaster.machine.claimed');
    const work = await prepare(rm, claimed.attempt);
    if (work !== undefined) return { work, reason: null };
  }
}

function none(reason: string): ClaimReply {
  return { work: null, reason };
}

async function releaseUnknown(rm: Ringmaster, worker: string, held: readonly number[]): Promise<void> {
  const isUnknown = ({ id, worker_id }: Attempt): boolean => worker_id === worker && !held.includes(id);
  if (!liveAttempts(rm.store.reader).some(isUnknown)) return;
  await rm.store.write(`machine ${worker}: lost claims`, (tx) => {
    const call = workerCall(rm, worker);
    const reason = 'The machine did not get the reply to its claim';
    for (const attempt of liveAttempts(tx).filter(isUnknown)) {
      finishAttempt(tx, rm, call, attempt, {
        outcome: 'released',
        failureClass: 'infrastructure',
        reason,
        outputPath: null,
      });
    }
  });
}

interface UnfitProject {
  readonly id: string;
  readonly reason: string;
}

/**
 * Returns the projects whose tasks this machine cannot do: it lacks a command that the project requires, or the project
 * has no remote repository.
 */
function unfitProjects(rm: Ringmaster, worker: string, input: MachineClaim): readonly UnfitProject[] {
  return listProjects(rm.store.reader).flatMap(({ id }) => {
    const settings = settingsFor(rm, id, worker);
    const commands = [
      ['test_command', settings.testCommand, input.test_command],
      ['review_command', settings.review === 'command' ? settings.reviewCommand : [], input.review_command],
    ] as const;
    const missing = commands.find(([, wanted, own]) => wanted.length > 0 && !isSame(wanted, own));
    if (missing !== undefined) {
      const [name, wanted] = missing;
      return [{ id, reason: `project ${id} needs ${name} = ${JSON.stringify(wanted)} in ringmaster.toml here` }];
    }
    if (originOf(settings.folder) !== undefined) return [];
    return [{ id, reason: `the repository of project ${id} has no remote named origin` }];
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Prepares a claimed attempt. Returns undefined if the work of dependencies conflicts; a decision about the conflict is
 * then open.
 */
async function prepare(rm: Ringmaster, attempt: Attempt): Promise<MachineWork | undefined> {
  const task = existingTask(rm.store.reader, attempt.task_id);
  const settings = settingsFor(rm, task.project_id, attempt.worker_id, task);
  try {
    const repository = await requireRepository(rm, settings);
    const chosen = await startingPoint(rm, attempt, repository);
    // Uses the latest common commit as the base, because the machine gets only commits that the branch contains. The
    // base in `chosen` can be newer than the work of the previous attempt.
    const start = { ...chosen, base: await sharedCommit(repository.root, chosen.base, chosen.from) };
    const remote = remoteOf(repository.root, branchName(attempt));
    // Stores the branch before pushing it, so that it is deleted later even if the server dies in between.
    await recordStart(rm, attempt, repository, start);
    await pushBranch(remote, start.from);
    failpoint('ringmaster.machine.prepared');
    const { text: brief } = await assemblePrompt(rm, task.id, { purpose: 'run', isBrief: true });
    return {
      token: attempt.id,
      attempt: attempt.number,
      task,
      brief,
      branch: remote.branch,
      base_commit: start.base,
      from_commit: start.from,
      git_remote: sharedAddress(remote.url),
      review: settings.review,
      lease_seconds: rm.config.queue.lease_seconds,
    };
  } catch (error) {
    if (isHoldfastError(error, 'DEPENDENCY_CONFLICT')) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    await rm.store.write(`machine ${attempt.worker_id}: not prepared`, (tx) => {
      const released = { outcome: 'released', failureClass: 'infrastructure', reason, outputPath: null } as const;
      finishAttempt(tx, rm, workerCall(rm, attempt.worker_id), liveAttempt(tx, attempt.id), released);
    });
    throw error;
  }
}

async function requireRepository({ config }: Ringmaster, { folder }: RunSettings): Promise<Repository> {
  const repository = await repositoryAt(folder, config.run.base);
  if (repository !== undefined) return repository;
  throw ringmasterErrors.FOLDER_NOT_USABLE(`${folder} is not a git repository with a commit`);
}

function remoteOf(repository: string, branch: string): RemoteBranch {
  const url = originOf(repository);
  if (url === undefined) throw ringmasterErrors.REMOTE_NOT_FOUND(`${repository} has no remote named origin`);
  return { repository, url, allowsPath: true, branch };
}

async function recordStart(
  rm: Ringmaster,
  attempt: Attempt,
  { root }: Repository,
  { base, from, dependencies }: StartingPoint,
): Promise<void> {
  const branch = branchName(attempt);
  // Sets the local branch, so that the work of earlier attempts is kept even if this attempt is lost.
  if (from !== base) await setBranch(root, branch, from);
  await rm.store.write(`machine ${attempt.worker_id}: ${attempt.task_id}`, (tx) => {
    liveAttempt(tx, attempt.id);
    insertRun(tx, {
      attempt_id: attempt.id,
      supervisor_id: attempt.worker_id,
      supervisor_pid: OTHER_MACHINE,
      supervisor_start: null,
      supervisor_boot: null,
      folder: '',
      repository: root,
      branch,
      base_commit: base,
      head_commit: from,
      dependencies: dependencies.length === 0 ? null : JSON.stringify(dependencies),
    });
    if (dependencies.length === 0) return;
    const data = { token: attempt.id, commit: base, dependencies };
    const call = workerCall(rm, attempt.worker_id);
    recordEvent(tx, call, { type: 'dependencies_included', entity: 'task', id: attempt.task_id, data });
  });
}

export async function heartbeatOfMachine(rm: Ringmaster, input: MachineHeartbeat): Promise<{ cancel: boolean }> {
  ownAttempt(rm.store.reader, input, input.token);
  return heartbeat(rm, { token: input.token });
}

/**
 * Appends to the log of a turn. Checks the attempt in the same transaction, so that a machine that lost its lease cannot
 * change a log that is already closed.
 */
export function outputOfMachine(rm: Ringmaster, input: MachineOutput): Promise<{ bytes: number }> {
  const { token, turn: index, offset, text, ended } = input;
  return rm.store.write(`machine: output of ${token}`, (tx) => {
    const attempt = ownAttempt(tx, input, token);
    const turn = turnOf(tx, rm, attempt, index);
    const path = iterationPath(attempt.task_id, turn.number, 'log');
    const file = inside(rm.workspace.filesPath, path);
    const size = logSize(file);
    const isFitting = turn.ended_at === null && offset === size;
    const bytes = size + Buffer.byteLength(text);
    if (!isFitting || bytes > rm.config.run.output_limit_mb * MEBIBYTE) return { bytes: size };
    const log = openLog(file);
    log.append(text);
    if (ended === undefined) log.close();
    else endTurn(tx, rm, attempt, turn, ended, { path, ...log.sealNow() });
    return { bytes };
  });
}

/** Returns the turn with this number in the attempt, and begins that turn if it is the next one. */
function turnOf(tx: Tx, rm: Ringmaster, attempt: Attempt, index: number): Iteration {
  const turns = iterationsOfAttempt(tx, attempt.id);
  const turn = turns[index - 1];
  if (turn !== undefined) return turn;
  if (index !== turns.length + 1) throw ringmasterErrors.TEXT_INVALID(`Turn ${index} does not follow ${turns.length}`);
  const { id, task_id, worker_id } = attempt;
  const call = workerCall(rm, worker_id);
  const number = lastIterationNumber(tx, task_id) + 1;
  insertIteration(tx, {
    task_id,
    number,
    attempt_id: id,
    started_at: call.now,
    prompt_path: null,
    context_path: null,
  });
  const data = { token: id, iteration: number, worker_id };
  if (existingTask(tx, task_id).status === 'assigned') {
    updateTask(tx, task_id, { status: 'in_progress' });
    recordEvent(tx, call, { type: 'task_started', entity: 'task', id: task_id, data });
  }
  recordEvent(tx, call, { type: 'iteration_started', entity: 'task', id: task_id, data });
  return iterationsOfAttempt(tx, id).at(-1)!;
}

function endTurn(
  tx: Tx,
  rm: Ringmaster,
  { id: token, task_id, worker_id }: Attempt,
  { number }: Iteration,
  ended: NonNullable<MachineOutput['ended']>,
  log: { readonly path: string; readonly bytes: number; readonly sha256: string },
): void {
  const call = workerCall(rm, worker_id);
  registerFile(tx, { ...log, kind: 'iteration', created_at: call.now });
  updateIteration(tx, task_id, number, {
    ...ended,
    stage: 'worked',
    ended_at: call.now,
    log_path: log.path,
    output_bytes: log.bytes,
  });
  reportBudgets(tx, rm, call, task_id);
  const data = { token, iteration: number, worker_id, result: ended.result };
  recordEvent(tx, call, { type: 'iteration_ended', entity: 'task', id: task_id, data });
}

/** Fetches the branch of an attempt, then ends the attempt. */
export async function finishForMachine(
  rm: Ringmaster,
  input: MachineFinish,
): Promise<{ readonly task_id: string; readonly status: string }> {
  const attempt = ownAttempt(rm.store.reader, input, input.token);
  const head = await arrivedWork(rm, attempt, input);
  failpoint('ringmaster.machine.fetched');
  const { project_id } = existingTask(rm.store.reader, attempt.task_id);
  const { review } = settingsFor(rm, project_id, attempt.worker_id);
  const task = await rm.store.write(`report ${attempt.id}: ${input.kind}`, (tx) => {
    const finish = reviewed(finishOf(input), review);
    return endHere(tx, rm, endingOf(tx, ownAttempt(tx, input, attempt.id).id, finish, head));
  });
  failpoint('ringmaster.machine.finished');
  writeTaskFiles(rm, task.id);
  await tidyUp(rm);
  return { task_id: task.id, status: existingTask(rm.store.reader, task.id).status };
}

/** Turns `done` into `review` if the server's settings require a review by a person. */
function reviewed(finish: Finish, review: RunSettings['review']): Finish {
  return review === 'person' && finish.kind === 'done' && finish.note === null ? { kind: 'review' } : finish;
}

/**
 * Fetches the work of an attempt. Returns its last commit; undefined if the attempt ended without a result and had no
 * worktree.
 */
async function arrivedWork(rm: Ringmaster, { id }: Attempt, input: MachineFinish): Promise<string | undefined> {
  const run = runOf(rm.store.reader, id);
  if (run === undefined || !hasBegun(run)) {
    throw ringmasterErrors.BRANCH_NOT_ARRIVED(`The attempt ${id} has no branch`);
  }
  const { repository, branch, base_commit, head_commit } = run;
  const from = head_commit ?? base_commit;
  // The attempt had no worktree, so it has no work. A `done` without work ends as an attempt that changed nothing.
  if (input.head_commit === null) return input.kind === 'done' || input.kind === 'review' ? base_commit : undefined;
  const head = input.head_commit;
  if (head === from) return head;
  if (!(await fetchBranch(remoteOf(repository, branch), head, from))) {
    throw ringmasterErrors.BRANCH_NOT_ARRIVED(`The remote repository has no branch ${branch}`);
  }
  await setBranch(repository, branch, head);
  return head;
}

const tidying = new SerialQueues();

/** Settles ended attempts of other machines, and merges finished work. If that fails, the next claim tries again. */
function tidyUp(rm: Ringmaster): Promise<void> {
  return tidying.run(rm.workspace.root, async () => {
    await settleEnded(rm).catch(() => undefined);
    // A server that was killed may have left branches behind whose work is merged.
    if (!merging.has(rm.store)) await deleteMergedBranches(rm).catch(() => undefined);
    await mergesOf(rm)
      .merge(() => false)
      .catch(() => undefined);
  });
}

/** Settles ended attempts of other machines, and deletes their branches in the remote repository. */
async function settleEnded(rm: Ringmaster): Promise<void> {
  const ended = unsettledRuns(rm.store.reader).filter((run) => isOnOtherMachine(run) && run.ended_at !== null);
  for (const run of ended) {
    if (hasBegun(run)) {
      // A failure does no harm: the branch stays in the remote repository, but nothing uses it.
      await deleteRemoteBranch(remoteOf(run.repository, run.branch), run.base_commit).catch(() => undefined);
    }
    failpoint('ringmaster.machine.deleted');
    await settleRun(rm, run);
  }
}

const merging = new WeakMap<Store, PendingMerges>();

/**
 * Returns the merges of a workspace. The server merges the work of machines, because only the server has the project's
 * branch.
 */
function mergesOf(rm: Ringmaster): PendingMerges {
  const merges =
    merging.get(rm.store) ??
    new PendingMerges({
      rm: { ...rm, actor: { type: 'system', id: 'server' } },
      tell: () => undefined,
      monotonic: monotonicClock,
    });
  merging.set(rm.store, merges);
  return merges;
}
