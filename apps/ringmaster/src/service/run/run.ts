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

import { commandExists, startGuardian } from '../../adapters/processes.ts';
import { requireSandbox } from '../../adapters/sandbox.ts';
import type { ParkKind } from '../../model/attempt.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import type { ParkedWorker } from '../../operations/workers.ts';
import { attachedAttempts, insertRun } from '../../store/attempt-runs.ts';
import { type Attempt, endedOrCancelled } from '../../store/attempts.ts';
import { metaText, serverBinding } from '../../store/meta.ts';
import { countReady, delayedTasks, existingTask } from '../../store/tasks.ts';
import { isParked, listWorkers, type Worker } from '../../store/workers.ts';
import { workerEnvironment } from '../../worker/environment.ts';
import { redactor } from '../../worker/redact.ts';
import { reachedBudgets } from '../budget.ts';
import { PendingMerges } from '../merge.ts';
import { startNotifier } from '../notifications.ts';
import { claim, type Claimed } from '../queue.ts';
import { reasonsToWait } from '../ready.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { parkedWorkers, parkWorker, PAUSED, unparkWorker } from '../workers.ts';
import { runAttempt } from './attempt.ts';
import { newRun, requireUsableFolders } from './folder.ts';
import { maintainWhileRunning } from './maintenance.ts';
import { recover } from './recover.ts';
import { isRunnable, mayTake, requireRunnable, settingsFor } from './settings.ts';
import { Settling } from './settle.ts';
import { type RunEvent, Stopper, type Supervisor } from './supervisor.ts';
import { registerSupervisor } from './supervisors.ts';
import { ownTasks, type TaskSource } from './task-source.ts';

export interface RunOptions {
  /** Default: the tasks of this workspace. */
  readonly source?: TaskSource;
  readonly slots: number;
  /** True to stop when no task is left to start. */
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
  /** Tasks left unfinished at the end, with the reason for each; empty without `once`. */
  readonly left: readonly { readonly id: string; readonly title: string; readonly why: string }[];
  /** Workers that get no tasks, because their service or program has a problem. */
  readonly parked: readonly ParkedWorker[];
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
  if (options.source === undefined) await requireOwnTasks(rm, options.project);
  if (rm.config.run.sandbox === 'bwrap') await requireSandbox(options.env);
  const supervisor = supervisorOf(rm, options);
  const guardian = startGuardian(supervisor.id);
  const registration = await registerSupervisor(supervisor, options.slots);
  const signal = AbortSignal.any([options.signal, registration.stopped]);
  try {
    // Runs before expired leases are reclaimed, so that attempts of a dead supervisor continue, no matter how old they
    // are.
    await supervisor.source.resume();
    const taken = await recover(supervisor);
    const maintenance = await maintainWhileRunning(rm, options.pid, options.tell);
    const notifier = startNotifier(rm, (text) => options.tell({ kind: 'problem', text }));
    try {
      return await new Dispatcher(supervisor, { ...options, signal }).run(taken);
    } finally {
      await maintenance.stop();
      await notifier.stop();
    }
  } finally {
    await supervisor.source.close();
    await registration.leave();
    guardian.dismiss();
  }
}

async function requireOwnTasks(rm: Ringmaster, project: string | undefined): Promise<void> {
  const server = serverBinding(rm.store.reader);
  if (server !== undefined) {
    throw ringmasterErrors.SERVER_FOLDER(`${rm.workspace.root} works for ${server.url}`, {
      hint: `Run 'ringmaster run --server ${server.url} --workspace ${server.workspace}'.`,
    });
  }
  await requireUsableFolders(rm, project);
}

export function supervisorOf(
  rm: Ringmaster,
  { pid, env, tell, source = ownTasks(rm) }: Pick<RunOptions, 'pid' | 'env' | 'tell' | 'source'>,
): Supervisor {
  const { secret_patterns, secret_env } = rm.config.run;
  const identity = identityOf(pid);
  return {
    rm,
    source,
    id: `${pid}-${Math.floor(rm.random() * 2 ** 40).toString(36)}`,
    identity,
    monotonic: monotonicClock,
    env: workerEnvironment(env),
    newRedactor: () => redactor({ patterns: secret_patterns, names: secret_env, env }),
    tell,
    folders: new SerialQueues(),
    repositories: new Map(),
    settling: new Settling(rm),
  };
}

function workLeft({ rm, source }: Supervisor, project: string | undefined): RunSummary['left'] {
  return source.unfinished(project).map(({ id, title, why }) => ({
    id,
    title,
    why: why ?? (reasonsToWait(rm, id).join('; ') || missingWorker(rm, id)),
  }));
}

function missingWorker(rm: Ringmaster, id: string): string {
  const task = existingTask(rm.store.reader, id);
  const able = listWorkers(rm.store.reader).filter((worker) => isRunnable(worker) && mayTake(rm, worker, task));
  if (able.length === 0) return 'no worker has the name, type or capabilities that it requires';
  return `${able.map((worker) => worker.id).join(', ')} cannot take it now`;
}

/** Initial value of `#emptyClaim`, which describes the last time that no free worker found a task. */
const neverClaimed = { revision: -1, at: -Infinity, now: '' };

class Dispatcher {
  readonly #supervisor: Supervisor;
  readonly #options: RunOptions;
  readonly #merges: PendingMerges;
  readonly #slots = new Map<number, Slot>();
  /** Sequence number of each worker's last claim, so that the least recently assigned worker comes first. */
  readonly #lastClaim = new Map<string, number>();
  /** For each worker, the problem that was already reported to people. */
  readonly #told = new Map<string, ParkKind>();
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
        await this.#watchWorkers();
        await this.#merge();
        const isIdle = !(await this.#fill());
        // Since the last claim, a worker may have become free, or a task may have become ready.
        const isOver = this.#isPaused() || !(this.#hasNews() || this.#isRetryComing() || this.#isUnparkComing());
        if (once && isIdle && this.#slots.size === 0 && !this.#hasUndelivered() && isOver) break;
        await this.#sleep();
      }
      if (signal.aborted) await this.#drain();
      await this.#merge();
      await this.#supervisor.settling.finish();
      const left = once ? workLeft(this.#supervisor, this.#options.project) : [];
      return { attempts: this.#claims, resumed: taken.length, left, parked: parkedWorkers(rm) };
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

  /**
   * Returns whether a claim may find a task. Claims are costly, so after a claim that found no task, the next claim
   * waits for a commit or for `LOOK_EVERY`.
   */
  #mayHaveWork(): boolean {
    return this.#hasNews() || monotonicClock() - this.#emptyClaim.at >= LOOK_EVERY;
  }

  #merge(): Promise<void> {
    const busy = new Set([...this.#slots.values()].map(({ attempt }) => attempt.task_id));
    return this.#merges.merge((task) => busy.has(task));
  }

  #isPaused(): boolean {
    const { rm } = this.#supervisor;
    const isOverBudget = reachedBudgets(rm.store.reader, rm).some(({ scope }) => scope === 'day');
    return isOverBudget || metaText(rm.store.reader, PAUSED) !== '';
  }

  #hasUndelivered(): boolean {
    return this.#merges.exist() || this.#supervisor.source.isBusy();
  }

  #hasNews(): boolean {
    return this.#supervisor.rm.store.database.revision() !== this.#emptyClaim.revision;
  }

  /** Returns true if a worker is free for a task that waits only for a short retry delay. */
  #isRetryComing(): boolean {
    const { rm } = this.#supervisor;
    const { reader } = rm.store;
    const { now } = this.#emptyClaim;
    const able = listWorkers(reader).filter((worker) => isRunnable(worker) && this.#isFree(worker, now));
    const until = toTimestamp(rm.clock() + RETRY_WAIT_MAX);
    return delayedTasks(reader, { now, until, project: this.#options.project }).some((task) =>
      able.some((worker) => mayTake(rm, worker, task)),
    );
  }

  async #claimForAny(): Promise<Claimed | undefined> {
    const { rm } = this.#supervisor;
    if (!this.#mayHaveWork()) return undefined;
    const now = toTimestamp(rm.clock());
    // Reads the revision before the claims, so that a commit during the claims leads to another claim.
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

  #isFree(worker: Worker, now: string): boolean {
    const { id, status, is_draining, park_count, max_concurrent } = worker;
    if (status === 'offline' || is_draining === 1 || isParked(worker, now)) return false;
    const busy = [...this.#slots.values()].filter(({ attempt }) => attempt.worker_id === id).length;
    // After a problem, a worker gets one task at a time until an attempt shows that the problem is over.
    return busy < (park_count > 0 ? 1 : max_concurrent);
  }

  /** Returns whether a parked worker can soon take a task that is ready. */
  #isUnparkComing(): boolean {
    const { rm } = this.#supervisor;
    const now = toTimestamp(rm.clock());
    const soon = toTimestamp(rm.clock() + RETRY_WAIT_MAX);
    const isSoon = (worker: Worker): boolean =>
      isRunnable(worker) && worker.parked_kind !== 'missing' && isParked(worker, now) && !isParked(worker, soon);
    return listWorkers(rm.store.reader).some(isSoon) && countReady(rm.store.reader) > 0;
  }

  /**
   * Parks workers whose program is missing and resumes them when the program exists. Notifies people once per problem.
   */
  async #watchWorkers(): Promise<void> {
    const { rm, env, tell } = this.#supervisor;
    const now = toTimestamp(rm.clock());
    for (const worker of listWorkers(rm.store.reader).filter(isRunnable)) {
      const { id, command, parked_kind: kind } = worker;
      const isMissing = !commandExists(command, env);
      if (isMissing && !isParked(worker, now)) {
        const reason = `The command "${command}" was not found`;
        const park = { kind: 'missing', reason } as const;
        await rm.store.write(`worker ${id}: missing`, (tx) => parkWorker(tx, rm, callOf(rm), id, park));
      } else if (!isMissing && kind === 'missing') {
        await rm.store.write(`worker ${id}: found`, (tx) => unparkWorker(tx, callOf(rm), id));
      }
    }
    const parked = new Map(parkedWorkers(rm).map((one) => [one.id, one]));
    for (const { id, kind, until, reason } of parked.values()) {
      if (this.#told.get(id) === kind) continue;
      this.#told.set(id, kind);
      tell({ kind: 'problem', worker: id, text: `parked until ${until}: ${reason}` });
    }
    for (const id of this.#told.keys()) {
      if (!parked.has(id) && this.#told.delete(id)) tell({ kind: 'note', worker: id, text: 'works again' });
    }
  }

  async #claim(worker: string): Promise<Claimed | undefined> {
    const { rm, source, identity } = this.#supervisor;
    const offered = await source.next(worker);
    if (offered === undefined) return undefined;
    try {
      return await claim(rm, {
        ...offered,
        worker,
        project: this.#options.project,
        pid: identity.pid,
        also: (tx, attempt) => insertRun(tx, newRun(tx, this.#supervisor, attempt, this.#folderOf(attempt))),
      });
    } catch (error) {
      // In the meantime, the worker was paused or parked, or its slots were filled.
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
        // The worker is free again, but no commit announces that.
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

  /**
   * Runs after a commit by any process: a task may have become ready, or one of our attempts may have been cancelled or
   * lost.
   */
  #changed(): void {
    const { reader } = this.#supervisor.rm.store;
    const ids = [...this.#slots.values()].map(({ attempt }) => attempt.id);
    if (ids.length > 0) {
      for (const { id, ended_at } of endedOrCancelled(reader, ids)) {
        const slot = [...this.#slots.values()].find(({ attempt }) => attempt.id === id);
        slot?.stopper.ask(ended_at === null ? 'cancelled' : 'lease_lost');
      }
      const attached = new Set(attachedAttempts(reader, ids));
      for (const { attempt, stopper } of this.#slots.values()) {
        if (attached.has(attempt.id) && stopper.asked === undefined) stopper.ask('attached');
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
