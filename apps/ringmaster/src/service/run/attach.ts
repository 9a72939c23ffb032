import { delay, isAlive, isHoldfastError } from '@holdfast/base';

import { commandExists, killRun, RUN_VARIABLE } from '../../adapters/processes.ts';
import { requireSandbox, sandboxed } from '../../adapters/sandbox.ts';
import { hasTerminal, openTerminal } from '../../adapters/terminal.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import type { Task } from '../../model/task.ts';
import {
  type AttemptRun,
  detached,
  insertRun,
  isOnOtherMachine,
  runOf,
  runsOfTask,
  updateRun,
} from '../../store/attempt-runs.ts';
import {
  type Attempt,
  attemptsOf,
  endedOrCancelled,
  findAttempt,
  liveAttempt,
  liveAttemptOfTask,
} from '../../store/attempts.ts';
import { recordEvent } from '../../store/events.ts';
import { iterationsOfAttempt } from '../../store/iterations.ts';
import { existingTask } from '../../store/tasks.ts';
import { listWorkers } from '../../store/workers.ts';
import { interactiveCommand } from '../../worker/command-shape.ts';
import { claim } from '../queue.ts';
import { reasonsToWait } from '../ready.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { attachedRunName, isAttached } from './detach.ts';
import { finishRun } from './finish.ts';
import { newRun, prepareFolder, workingFolder } from './folder.ts';
import { holdLease } from './lease.ts';
import { type RunOptions, supervisorOf } from './run.ts';
import { isRunnable, mayTake, settingsFor } from './settings.ts';
import { settleRun } from './settle.ts';
import { Stopper, type Supervisor } from './supervisor.ts';
import { attemptVariables } from './turn.ts';
import { setUpWorktree } from './worktree-setup.ts';

export interface AttachOptions extends Pick<RunOptions, 'pid' | 'env' | 'tell'> {
  readonly task: string;
}

/**
 * Opens the session of a task's worker in a terminal. Pauses a running attempt while the terminal is open. If
 * the task is not running, starts an attempt for the user and returns the task to the queue afterwards.
 */
export async function attachTask(rm: Ringmaster, options: AttachOptions): Promise<Task> {
  const { id } = existingTask(rm.store.reader, options.task);
  if (!hasTerminal()) throw ringmasterErrors.TERMINAL_REQUIRED('attach needs a terminal');
  if (rm.config.run.sandbox === 'bwrap') await requireSandbox(options.env);
  const live = liveAttemptOfTask(rm.store.reader, id);
  const supervisor = supervisorOf(rm, options);
  await (live === undefined ? attachToIdle(supervisor, id) : attachToRunning(supervisor, live));
  return existingTask(rm.store.reader, id);
}

async function attachToRunning(supervisor: Supervisor, attempt: Attempt): Promise<void> {
  const { rm, identity } = supervisor;
  const { id, task_id: task } = attempt;
  await rm.store.write(`attach ${task}`, (tx) => {
    const run = runOf(tx, liveAttempt(tx, id).id);
    const problem = whyNotAttachable(run);
    if (problem !== undefined) throw ringmasterErrors.TASK_RUNNING(`${task} cannot be attached: ${problem}`);
    const { pid: attached_pid, start: attached_start, boot: attached_boot } = identity;
    updateRun(tx, id, { attached_pid, attached_start, attached_boot, attached_at: null });
    recordEvent(tx, callOf(rm), { type: 'task_attached', entity: 'task', id: task, data: { token: id } });
  });
  try {
    await untilFree(rm, attempt);
    await openSession(supervisor, attempt, attachedRunName(identity.pid, id));
  } finally {
    killRun(attachedRunName(identity.pid, id));
    await rm.store.write(`detach ${task}`, (tx) => {
      updateRun(tx, id, detached);
      recordEvent(tx, callOf(rm), { type: 'task_detached', entity: 'task', id: task, data: { token: id } });
    });
  }
}

function whyNotAttachable(run: AttemptRun | undefined): string | undefined {
  if (run === undefined) return 'ringmaster did not start its worker';
  if (isOnOtherMachine(run)) return 'it runs on another machine';
  const { supervisor_pid: pid, supervisor_start: start, supervisor_boot: boot } = run;
  if (!isAlive({ pid, start, boot })) return "its supervisor has ended; 'ringmaster run' continues it";
  if (run.supervisor_id.startsWith(PERSON) || isAttached(run)) return 'another terminal is attached';
  if (run.folder === '' || (run.repository !== null && run.base_commit === null))
    return 'its worktree is not ready yet';
  return undefined;
}

/** Waits until the supervisor has stopped the worker. */
async function untilFree({ store }: Ringmaster, { id, task_id: task }: Attempt): Promise<void> {
  while (runOf(store.reader, id)?.attached_at === null) {
    if (findAttempt(store.reader, id)?.ended_at !== null) {
      throw ringmasterErrors.TASK_STATE(`The worker of ${task} has just ended`);
    }
    await delay(50);
  }
}

/** Prefix of the supervisor ids of attempts that a person begins. */
const PERSON = 'person-';

async function attachToIdle(base: Supervisor, id: string): Promise<void> {
  const supervisor: Supervisor = { ...base, id: `${PERSON}${base.id}` };
  const { rm, identity } = supervisor;
  const task = existingTask(rm.store.reader, id);
  const worker = workerFor(rm, task);
  const folder = settingsFor(rm, task.project_id, worker, task).folder;
  const claimed = await claim(rm, {
    worker,
    task: id,
    pid: identity.pid,
    also: (tx, attempt) => insertRun(tx, newRun(tx, supervisor, attempt, folder)),
  });
  if (claimed === undefined) {
    throw ringmasterErrors.TASK_STATE(`${id} cannot start: ${reasonsToWait(rm, id).join('; ')}`);
  }
  const { attempt } = claimed;
  const stopper = new Stopper();
  try {
    const settings = settingsFor(rm, task.project_id, worker, task);
    const made = await prepareFolder(supervisor, attempt, settings);
    if (made !== undefined) {
      await setUpWorktree({ supervisor, attempt, settings, stopper }, made);
      await rm.store.write(`attach ${id}`, (tx) => updateRun(tx, liveAttempt(tx, attempt.id).id, made));
    }
    await openSession(supervisor, attempt, `${supervisor.id}.${attempt.id}.attach`);
  } finally {
    await giveBack(rm, attempt);
  }
}

/** Ends the attempt and keeps the person's work on its branch, from which the next attempt starts. */
async function giveBack(rm: Ringmaster, attempt: Attempt): Promise<void> {
  try {
    const reason = 'A person detached from the task';
    await finishRun(rm, attempt, { kind: 'released', failureClass: 'infrastructure', reason });
  } catch (error) {
    // The lease is lost, or an unusable worktree has already ended the attempt.
    if (!isHoldfastError(error, 'STALE_TOKEN')) throw error;
  }
  const run = runsOfTask(rm.store.reader, attempt.task_id).find(({ attempt_id }) => attempt_id === attempt.id);
  if (run !== undefined) await settleRun(rm, run);
}

/** Returns the worker of the last attempt if it may take the task; if not, any other worker that may. */
function workerFor(rm: Ringmaster, task: Task): string {
  const able = listWorkers(rm.store.reader).filter((worker) => isRunnable(worker) && mayTake(rm, worker, task));
  const last = attemptsOf(rm.store.reader, task.id).at(-1)?.worker_id;
  const chosen = able.find((worker) => worker.id === last) ?? able[0];
  if (chosen === undefined) throw ringmasterErrors.NO_WORKERS(`No worker with a command may take ${task.id}`);
  return chosen.id;
}

async function openSession(supervisor: Supervisor, attempt: Attempt, runName: string): Promise<void> {
  const { rm, env, tell } = supervisor;
  const { store, config, workspace } = rm;
  const task = existingTask(store.reader, attempt.task_id);
  const settings = settingsFor(rm, task.project_id, attempt.worker_id, task);
  const run = runOf(store.reader, attempt.id);
  if (run === undefined) throw new TypeError('an attempt of a supervisor has a run');
  const folder = workingFolder(run, settings);
  const session = iterationsOfAttempt(store.reader, attempt.id).findLast(({ session_id }) => session_id !== null);
  const plain = interactiveCommand(settings.worker, session?.session_id ?? undefined, env['SHELL'] ?? '/bin/sh');
  if (!commandExists(plain.command, env)) {
    throw ringmasterErrors.WORKER_UNAVAILABLE(`The command "${plain.command}" was not found`);
  }
  const worktree = run.repository === null ? undefined : run.folder;
  const readable = [workspace.root, workspace.filesPath, run.repository ?? folder];
  const command =
    config.run.sandbox === 'none' ? plain : sandboxed({ ...plain, folder, worktree, readable, hasNetwork: false });
  const stop = new AbortController();
  const stopper = new Stopper();
  stopper.onAsk(() => stop.abort());
  const lease = holdLease(supervisor, attempt, stopper);
  const stopListening = store.database.onChange(() => {
    for (const { ended_at } of endedOrCancelled(store.reader, [attempt.id])) {
      stopper.ask(ended_at === null ? 'cancelled' : 'lease_lost');
    }
  });
  try {
    await openTerminal({
      ...command,
      name: `ringmaster-${task.id}`,
      folder,
      env,
      variables: { ...attemptVariables(rm, attempt, settings), [RUN_VARIABLE]: runName },
      signal: stop.signal,
      note: (text) => tell({ kind: 'note', task: task.id, text }),
    });
  } finally {
    stopListening();
    lease.release();
    killRun(runName);
  }
}
