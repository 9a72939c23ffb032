import { failpoint, isHoldfastError, SerialQueue, toTimestamp, writeFileDurablySync } from '@holdfast/base';

import { fileExists, inside, readText, sha256 } from '../../adapters/files.ts';
import { killRun } from '../../adapters/processes.ts';
import {
  clearLocks,
  commitOf,
  commitWork,
  deleteBranches,
  forgetRemoved,
  removeFolder,
} from '../../adapters/worktree.ts';
import { iterationPath } from '../../model/attempt.ts';
import { type OpenRun, runOf, updateRun } from '../../store/attempt-runs.ts';
import { findAttempt } from '../../store/attempts.ts';
import { recordEvent } from '../../store/events.ts';
import { registerFile } from '../../store/files.ts';
import { type Iteration, iterationsOf, iterationsOfAttempt, updateIteration } from '../../store/iterations.ts';
import type { Tx } from '../../store/open.ts';
import { existingTask } from '../../store/tasks.ts';
import { formatOf } from '../../worker/command-shape.ts';
import { logEnd } from '../../worker/log-format.ts';
import { UsageMeter } from '../../worker/transcript.ts';
import { reportBudgets } from '../budget.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { settingsFor } from './settings.ts';

/**
 * Settles the run of an ended attempt: ends its processes, commits its work, removes its worktree, and deletes its
 * branch if the branch has no work. Can be repeated after any interruption.
 */
export function settleRun(rm: Ringmaster, run: OpenRun): Promise<void> {
  return settleOnce(rm, run, () => settleNow(rm, run));
}

/** Attempts that are being settled now. A second call for the same attempt waits for the first. */
const settlingNow = new Map<string, Promise<void>>();

function settleOnce(rm: Ringmaster, run: OpenRun, settle: () => Promise<void>): Promise<void> {
  const key = `${rm.workspace.filesPath} ${run.attempt_id}`;
  const settling = settlingNow.get(key) ?? settle().finally(() => settlingNow.delete(key));
  settlingNow.set(key, settling);
  return settling;
}

async function settleNow(rm: Ringmaster, run: OpenRun): Promise<void> {
  if (runOf(rm.store.reader, run.attempt_id)?.settled_at !== null) return;
  killRun(`${run.supervisor_id}.${run.attempt_id}.`);
  for (const turn of iterationsOfAttempt(rm.store.reader, run.attempt_id)) {
    if (turn.ended_at === null) await interruptTurn(rm, turn);
  }
  const head = await keepWork(rm, run);
  failpoint('ringmaster.run.kept');
  await conclude(rm, [await removeRun(head === undefined ? run : { ...run, head_commit: head })]);
}

/**
 * Commits the work of a run. All processes of the run must have ended. Returns undefined if there never was a worktree.
 */
export async function keepWork(rm: Ringmaster, run: OpenRun): Promise<string | undefined> {
  const { repository, branch, base_commit, folder, number, worker_id } = run;
  if (repository === null || branch === null || base_commit === null) return undefined;
  // The worker itself, or an earlier interrupted call, removed the worktree. The branch still has the work.
  if (!fileExists(folder)) return commitOf(repository, `refs/heads/${branch}`);
  const { title } = existingTask(rm.store.reader, run.task_id);
  const message = `${run.task_id}: ${title}\n\nAttempt ${number} of ringmaster, by ${worker_id}.`;
  const work = { path: folder, branch, message, since: run.head_commit ?? base_commit };
  try {
    return await commitWork(work);
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'GIT_FAILED') throw error;
    clearLocks(folder, branch);
    return commitWork(work);
  }
}

/**
 * Removes the worktree of a run whose work is committed. `conclude` later deletes the branches of several runs
 * together.
 */
async function removeRun(run: OpenRun): Promise<Settled> {
  const { repository, branch, base_commit, head_commit } = run;
  if (repository === null || branch === null) return { run, empty: undefined };
  // An attempt on another machine has no folder on this machine.
  if (run.folder !== '') await removeFolder(run.folder);
  failpoint('ringmaster.run.removed');
  // The worktree was never ready, so it contains no work.
  if (base_commit === null) return { run, empty: await commitOf(repository, `refs/heads/${branch}`) };
  return { run, empty: head_commit === base_commit ? base_commit : undefined };
}

interface Settled {
  readonly run: OpenRun;
  /** Commit of the run's branch if the branch has no new work and can be deleted. */
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
    const settled_at = toTimestamp(rm.clock());
    for (const { run } of settled) updateRun(tx, run.attempt_id, { settled_at, head_commit: run.head_commit });
  });
}

const TOGETHER_MS = 100;

/** Settles runs after their report. Removes folders immediately, and branches and git's records in batches. */
export class Settling {
  readonly #rm: Ringmaster;
  readonly #waiting: Settled[] = [];
  readonly #queue = new SerialQueue();
  #timer: NodeJS.Timeout | undefined;

  constructor(rm: Ringmaster) {
    this.#rm = rm;
  }

  /**
   * Removes the run. If the next attempt of the task is already settling this run, waits for that instead, so that
   * neither of them finds a folder that the other is removing.
   */
  remove(run: OpenRun): Promise<void> {
    return settleOnce(this.#rm, run, () => this.#remove(run));
  }

  async #remove(run: OpenRun): Promise<void> {
    this.#waiting.push(await removeRun(run));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // If finishing fails, the next supervisor repeats it.
      void this.finish().catch(() => undefined);
    }, TOGETHER_MS);
  }

  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#queue.run(async () => {
      const settled = this.#waiting.splice(0);
      if (settled.length > 0) await conclude(this.#rm, settled);
    });
  }
}

/**
 * Closes the turn of a dead supervisor exactly once, even if two supervisors try. The first one finds the turn open and
 * writes the log while holding the lock. It replaces the log file, so that a process that still has the old file open
 * cannot change it.
 */
export async function interruptTurn(rm: Ringmaster, turn: Iteration): Promise<void> {
  const path = iterationPath(turn.task_id, turn.number, 'log');
  const file = inside(rm.workspace.filesPath, path);
  await rm.store.write(`run ${turn.task_id}: turn ${turn.number} interrupted`, (tx) => {
    const isOpen = iterationsOf(tx, turn.task_id).some(
      ({ number, ended_at }) => number === turn.number && ended_at === null,
    );
    if (!isOpen) return;
    const call = callOf(rm);
    const now = Date.parse(call.now);
    const soFar = fileExists(file) ? readText(file) : '';
    const content = Buffer.from(`${soFar}${logEnd('interrupted', now - Date.parse(turn.started_at), now)}`);
    writeFileDurablySync(file, content);
    registerFile(tx, { path, kind: 'iteration', bytes: content.length, sha256: sha256(content), created_at: call.now });
    const usage = usageIn(tx, rm, turn, soFar);
    updateIteration(tx, turn.task_id, turn.number, {
      result: 'interrupted',
      ended_at: call.now,
      log_path: path,
      ...usage,
    });
    reportBudgets(tx, rm, call, turn.task_id);
    recordEvent(tx, call, {
      type: 'iteration_ended',
      entity: 'task',
      id: turn.task_id,
      data: { token: turn.attempt_id, iteration: turn.number, result: 'interrupted' },
    });
  });
}

/** Returns the usage that the agent reported before its turn was interrupted, so that budgets count it. */
function usageIn(
  tx: Tx,
  rm: Ringmaster,
  turn: Iteration,
  log: string,
): Pick<Iteration, 'cost_usd' | 'input_tokens' | 'output_tokens'> {
  const worker = findAttempt(tx, turn.attempt_id)?.worker_id ?? '';
  const meter = new UsageMeter(formatOf(settingsFor(rm, existingTask(tx, turn.task_id).project_id, worker).worker));
  meter.read(log);
  const { costUsd, inputTokens, outputTokens } = meter.total({ costUsd: null, inputTokens: null, outputTokens: null });
  return { cost_usd: costUsd, input_tokens: inputTokens, output_tokens: outputTokens };
}
