import {
  delay,
  failpoint,
  identityOf,
  isHoldfastError,
  MINUTE,
  monotonicClock,
  SECOND,
  SerialQueues,
  toTimestamp,
} from '@holdfast/base';

import { startGuardian } from '../../adapters/processes.ts';
import { textList } from '../../model/texts.ts';
import { insertRun } from '../../store/attempt-runs.ts';
import { type Attempt, endedOrCancelled } from '../../store/attempts.ts';
import { metaText } from '../../store/meta.ts';
import { delayedTasks, existingTask, unfinishedTasks } from '../../store/tasks.ts';
import { listWorkers, type Worker } from '../../store/workers.ts';
import { redactor } from '../../worker/redact.ts';
import { PendingMerges } from '../merge.ts';
import { claim, type Claimed } from '../queue.ts';
import { reasonsToWait } from '../ready.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { PAUSED } from '../workers.ts';
import { runAttempt } from './attempt.ts';
import { plannedFolder, requireUsableFolders } from './folder.ts';
import { maintainWhileRunning } from './maintenance.ts';
import { recover } from './recover.ts';
import { isRunnable, requireRunnable, settingsFor } from './settings.ts';
import { Settling } from './settle.ts';
import { type RunEvent, Stopper, type Supervisor } from './supervisor.ts';

export interface RunOptions {
  readonly slots: number;
  /** Stops when no task is left to start. */
  readonly once: boolean;
  readonly project: string | undefined;
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tell: (event: RunEvent) => void;
}

export interface RunSummary {
  readonly attempts: number;
  readonly resumed: number;
  /** Tasks that are not finished at the end, with the reasons; empty without `once`. */
  readonly left: readonly { readonly id: string; readonly title: string; readonly why: string }[];
}

interface Slot {
  readonly attempt: Attempt;
  readonly stopper: Stopper;
  readonly ended: Promise<void>;
}

const LOOK_EVERY = SECOND;
/** `once` waits for retries that are due within this time. Tasks with later retries are listed in `left`. */
const RETRY_WAIT_MAX = 2 * MINUTE;

/** Runs workers in slots until aborted or, with `once`, until no task is left to start. */
export async function runWorkers(rm: Ringmaster, options: RunOptions): Promise<RunSummary> {
  requireRunnable(rm);
  await requireUsableFolders(rm, options.project);
  const supervisor = supervisorOf(rm, options);
  const guardian = startGuardian(supervisor.id);
  try {
    // Comes before expired leases are reclaimed, so that attempts of a dead supervisor continue however old they are.
    const taken = await recover(supervisor);
    const maintenance = await maintainWhileRunning(rm, options.pid, options.tell);
    try {
      return await new Dispatcher(supervisor, options).run(taken);
    } finally {
      await maintenance.stop();
    }
  } finally {
    guardian.dismiss();
  }
}

function supervisorOf(rm: Ringmaster, { pid, env, tell }: RunOptions): Supervisor {
  const { secret_patterns, secret_env } = rm.config.run;
  const identity = identityOf(pid);
  return {
    rm,
    id: `${pid}-${Math.floor(rm.random() * 2 ** 40).toString(36)}`,
    identity,
    monotonic: monotonicClock,
    env,
    newRedactor: () => redactor({ patterns: secret_patterns, names: secret_env, env }),
    tell,
    folders: new SerialQueues(),
    repositories: new Map(),
    settling: new Settling(rm),
  };
}

function workLeft(rm: Ringmaster, project: string | undefined): RunSummary['left'] {
  return unfinishedTasks(rm.store.reader, project).map(({ id, title }) => ({
    id,
    title,
    why: reasonsToWait(rm, id).join('; ') || 'no worker can take it now',
  }));
}

/** Initial value of the last claim that found no task for any free worker. */
const neverClaimed = { revision: -1, at: -Infinity, now: '' };

class Dispatcher {
  readonly #supervisor: Supervisor;
  readonly #options: RunOptions;
  readonly #merges: PendingMerges;
  readonly #slots = new Map<number, Slot>();
  /** Number of each worker's last claim, to sort the least recently assigned first. */
  readonly #lastClaim = new Map<string, number>();
  #claims = 0;
  #emptyClaim = neverClaimed;
  #wake: () => void = () => undefined;
  #isWoken = false;

  constructor(supervisor: Supervisor, options: RunOptions) {
    this.#supervisor = supervisor;
    this.#merges = new PendingMerges(supervisor);
    this.#options = options;
  }

  async run(taken: readonly Attempt[]): Promise<RunSummary> {
    const { rm } = this.#supervisor;
    const { signal, once } = this.#options;
    const stopListening = rm.store.database.onChange(() => this.#changed());
    const abort = (): void => this.#awake();
    signal.addEventListener('abort', abort);
    try {
      for (const attempt of taken) this.#begin(attempt);
      while (!signal.aborted) {
        await this.#merge();
        const isIdle = !(await this.#fill());
        // A worker may have become free, or a task ready, since the last claim.
        const isOver = this.#isPaused() || !(this.#hasNews() || this.#isRetryComing());
        if (once && isIdle && this.#slots.size === 0 && !this.#merges.exist() && isOver) break;
        await this.#sleep();
      }
      if (signal.aborted) await this.#drain();
      await this.#merge();
      await this.#supervisor.settling.finish();
      return { attempts: this.#claims, resumed: taken.length, left: once ? workLeft(rm, this.#options.project) : [] };
    } finally {
      stopListening();
      signal.removeEventListener('abort', abort);
    }
  }

  /** Assigns tasks to free slots; returns whether it assigned any. */
  async #fill(): Promise<boolean> {
    let hasGiven = false;
    while (this.#slots.size < this.#options.slots && !this.#options.signal.aborted) {
      if (this.#isPaused() || this.#merges.exist()) break;
      const claimed = await this.#claimForAny();
      if (claimed === undefined) break;
      hasGiven = true;
      failpoint('ringmaster.run.claimed');
      this.#begin(claimed.attempt);
    }
    return hasGiven;
  }

  /** Claims are costly. After a claim without a task, the next one needs a commit or a pause of `LOOK_EVERY`. */
  #mayHaveWork(): boolean {
    return this.#hasNews() || monotonicClock() - this.#emptyClaim.at >= LOOK_EVERY;
  }

  #merge(): Promise<void> {
    const busy = new Set([...this.#slots.values()].map(({ attempt }) => attempt.task_id));
    return this.#merges.merge((task) => busy.has(task));
  }

  #isPaused(): boolean {
    return metaText(this.#supervisor.rm.store.reader, PAUSED) !== '';
  }

  #hasNews(): boolean {
    return this.#supervisor.rm.store.database.revision() !== this.#emptyClaim.revision;
  }

  /** True if a worker is free for a task that waits only for a short retry delay. */
  #isRetryComing(): boolean {
    const { rm } = this.#supervisor;
    const { reader } = rm.store;
    const { now } = this.#emptyClaim;
    const able = listWorkers(reader).filter((worker) => isRunnable(worker) && this.#isFree(worker, now));
    const until = toTimestamp(rm.clock() + RETRY_WAIT_MAX);
    return delayedTasks(reader, { now, until, project: this.#options.project }).some(
      ({ required_capabilities: needed }) =>
        able.some(({ capabilities }) => {
          const offered = textList(capabilities);
          return textList(needed).every((one) => offered.includes(one));
        }),
    );
  }

  async #claimForAny(): Promise<Claimed | undefined> {
    const { rm } = this.#supervisor;
    if (!this.#mayHaveWork()) return undefined;
    const now = toTimestamp(rm.clock());
    // Reads the revision before the claims, so that commits made meanwhile lead to another claim.
    this.#emptyClaim = { revision: rm.store.database.revision(), at: monotonicClock(), now };
    const able = listWorkers(rm.store.reader)
      .filter((worker) => isRunnable(worker) && this.#isFree(worker, now))
      .sort((left, right) => (this.#lastClaim.get(left.id) ?? 0) - (this.#lastClaim.get(right.id) ?? 0));
    for (const { id } of able) {
      const claimed = await this.#claim(id);
      if (claimed === undefined) continue;
      this.#claims += 1;
      this.#lastClaim.set(id, this.#claims);
      this.#emptyClaim = neverClaimed;
      return claimed;
    }
    return undefined;
  }

  #isFree({ id, status, is_draining, parked_until, max_concurrent }: Worker, now: string): boolean {
    if (status === 'offline' || is_draining === 1 || (parked_until !== null && parked_until > now)) return false;
    const busy = [...this.#slots.values()].filter(({ attempt }) => attempt.worker_id === id).length;
    return busy < max_concurrent;
  }

  async #claim(worker: string): Promise<Claimed | undefined> {
    const { rm, id, identity } = this.#supervisor;
    try {
      return await claim(rm, {
        worker,
        project: this.#options.project,
        pid: identity.pid,
        also: (tx, attempt) =>
          insertRun(tx, {
            attempt_id: attempt.id,
            supervisor_id: id,
            supervisor_pid: identity.pid,
            supervisor_start: identity.start,
            supervisor_boot: identity.boot,
            ...plannedFolder(this.#supervisor, attempt, this.#folderOf(attempt)),
            base_commit: null,
          }),
      });
    } catch (error) {
      // The worker was paused or parked meanwhile, or its slots were filled.
      if (isHoldfastError(error) && error.code === 'WORKER_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  #folderOf({ task_id, worker_id }: Attempt): string {
    const { rm } = this.#supervisor;
    return settingsFor(rm, existingTask(rm.store.reader, task_id).project_id, worker_id).folder;
  }

  #begin(attempt: Attempt): void {
    const number = this.#freeSlot();
    const stopper = new Stopper();
    const { task_id, worker_id, id } = attempt;
    const supervisor: Supervisor = {
      ...this.#supervisor,
      tell: (event) => this.#supervisor.tell({ slot: number, ...event }),
    };
    supervisor.tell({
      kind: 'started',
      task: task_id,
      worker: worker_id,
      attempt: id,
      text: `attempt ${attempt.number}`,
    });
    const ended = runAttempt(supervisor, attempt, stopper)
      .catch((error: unknown) => supervisor.tell({ kind: 'problem', task: task_id, text: String(error) }))
      .finally(() => {
        this.#slots.delete(number);
        // The worker is free again, although no commit shows it.
        this.#emptyClaim = neverClaimed;
        this.#awake();
      });
    this.#slots.set(number, { attempt, stopper, ended });
  }

  #freeSlot(): number {
    let number = 1;
    while (this.#slots.has(number)) number += 1;
    return number;
  }

  /** Runs after a commit by any process: a task may be ready, or one of our attempts cancelled or lost. */
  #changed(): void {
    const { reader } = this.#supervisor.rm.store;
    const ids = [...this.#slots.values()].map(({ attempt }) => attempt.id);
    if (ids.length > 0) {
      for (const { id, ended_at } of endedOrCancelled(reader, ids)) {
        const slot = [...this.#slots.values()].find(({ attempt }) => attempt.id === id);
        slot?.stopper.ask(ended_at === null ? 'cancelled' : 'lease_lost');
      }
    }
    if (this.#slots.size < this.#options.slots) this.#awake();
  }

  #awake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #sleep(): Promise<void> {
    if (!this.#isWoken && !this.#options.signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await delay(LOOK_EVERY, woken.signal);
    }
    this.#isWoken = false;
  }

  /** Waits for running workers and starts no new ones. After the grace time, stops them and releases their tasks. */
  async #drain(): Promise<void> {
    const { rm, tell } = this.#supervisor;
    const all = (): Promise<unknown> => Promise.all([...this.#slots.values()].map(({ ended }) => ended));
    if (this.#slots.size === 0) return;
    const seconds = rm.config.run.drain_seconds;
    tell({
      kind: 'note',
      text: `stopping: ${this.#slots.size} workers have ${seconds} s to finish; Ctrl-C again stops them now`,
    });
    const drained = new AbortController();
    await Promise.race([all(), delay(seconds * SECOND, drained.signal)]);
    drained.abort();
    for (const { stopper } of this.#slots.values()) stopper.ask('shutdown');
    await all();
  }
}
