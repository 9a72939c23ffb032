import { randomBytes } from 'node:crypto';

import { delay, failpoint, HeldLease, isHoldfastError, SECOND } from '@holdfast/base';

import { inside } from '../../adapters/files.ts';
import { fetchBranch, makeClone, pushBranch, setBranch } from '../../adapters/remote-branch.ts';
import { commitOf, deleteBranch, type Repository } from '../../adapters/worktree.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { checkId, isId } from '../../model/ids.ts';
import { textList } from '../../model/texts.ts';
import type { Task } from '../../model/task.ts';
import type {
  MachineClaim,
  MachineFinish,
  MachineHeartbeat,
  MachineOutput,
  MachineWork,
} from '../../operations/machines.ts';
import { runsOfTask } from '../../store/attempt-runs.ts';
import { type Attempt, attemptsOf, liveAttemptOfTask } from '../../store/attempts.ts';
import {
  bindServer,
  putServerTask,
  removeServerTask,
  serverBinding,
  type ServerBinding,
  type ServerTask,
  serverTasks,
} from '../../store/meta.ts';
import type { Tx } from '../../store/open.ts';
import { findProject, insertProject, updateSettings } from '../../store/projects.ts';
import { existingTask, findTask, hasTasks, insertTask, updateTask } from '../../store/tasks.ts';
import { existingWorker } from '../../store/workers.ts';
import { type Finish, type ReportedFinish, reportOf } from '../../worker/next-step.ts';
import { finishAttempt, heartbeat } from '../queue.ts';
import { callOf, type Ringmaster, workerCall } from '../ringmaster.ts';
import { type EndingRun, type FinishOptions, finishRun } from './finish.ts';
import { branchName } from './folder.ts';
import { OutputSender } from './send-output.ts';
import type { StartingPoint } from './starting-point.ts';
import type { RunEvent } from './supervisor.ts';
import type { Offer, TaskSource } from './task-source.ts';

/**
 * The operations that a server offers to other machines. They throw SERVER_UNREACHABLE if the server does not answer.
 */
export interface MachineServer {
  readonly claim: (
    input: MachineClaim,
  ) => Promise<{ readonly work: MachineWork | null; readonly reason: string | null }>;
  readonly heartbeat: (input: MachineHeartbeat, timeoutMs: number) => Promise<{ readonly cancel: boolean }>;
  readonly output: (input: MachineOutput) => Promise<{ readonly bytes: number }>;
  readonly finish: (input: MachineFinish) => Promise<{ readonly task_id: string; readonly status: string }>;
}

export interface ServerTasksOptions {
  readonly server: MachineServer;
  readonly binding: ServerBinding;
  readonly project: string | undefined;
  readonly signal: AbortSignal;
  readonly tell: (event: RunEvent) => void;
}

/** Returns the settings for a server's tasks: the server chooses the starting point and merges the work. */
export function forServer(rm: Ringmaster): Ringmaster {
  const run = { ...rm.config.run, use_git: true, base: '', auto_merge: false };
  return { ...rm, config: { ...rm.config, run } };
}

/** Binds the workspace to a server. Refuses a workspace with tasks of its own, or of another server. */
export async function bindToServer(rm: Ringmaster, wanted: Omit<ServerBinding, 'key'>): Promise<ServerBinding> {
  const { url, workspace } = wanted;
  return rm.store.write(`server ${url}`, (tx) => {
    const bound = serverBinding(tx);
    if (bound === undefined && !hasTasks(tx)) {
      const binding = { ...wanted, key: randomBytes(KEY_BYTES).toString('hex') };
      bindServer(tx, binding);
      return binding;
    }
    if (bound?.url === url && bound.workspace === workspace) return bound;
    const owner =
      bound === undefined ? 'has tasks of its own' : `works for the workspace ${bound.workspace} of ${bound.url}`;
    throw ringmasterErrors.SERVER_FOLDER(`${rm.workspace.root} ${owner}`);
  });
}

const KEY_BYTES = 32;

/** Branch of this machine's clone, which is never pushed. Attempts use their own branches. */
const CLONE_BRANCH = 'main';
const LOOK_EVERY = SECOND;
const RETRY_EVERY = SECOND;
/**
 * If the server or this machine could not prepare a task, its worker asks for no other task during this time. Another
 * machine can then take the task, and the server does not record a failed attempt every second.
 */
const UNPREPARED_WAIT = 30 * SECOND;
/**
 * If the supervisor has not claimed an offered task in this machine's database after this time, the task goes back to
 * the server.
 */
const OFFER_MAX = 10 * SECOND;
/**
 * Time between two heartbeats, and also the longest wait for a reply, as a fraction of the lease. It is small, so that
 * the worker can continue for most of a lease while the server does not answer.
 */
const HEARTBEAT_SHARE = 1 / 6;
const COMMIT = /^[0-9a-f]{40,64}$/u;

/**
 * Gets tasks from a server. This machine's database has a copy of each claimed task, with its attempt and turns, so
 * that the supervisor works and recovers as it does with its own tasks. A `ServerTask` record remains until the server
 * has accepted the report about the task.
 */
export class ServerTasks implements TaskSource {
  readonly #rm: Ringmaster;
  readonly #options: ServerTasksOptions;
  readonly #output: OutputSender;
  /** Time until which each lease is certainly valid, on this machine's monotonic clock. */
  readonly #validUntil = new Map<number, number>();
  readonly #offered = new Map<number, number>();
  readonly #quietUntil = new Map<string, number>();
  readonly #delivering = new Map<number, Promise<void>>();
  readonly #closed = new AbortController();
  /** Aborted when this run stops trying to send reports. */
  readonly #abandoned = new AbortController();
  #tending: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  /** True if the server has not answered the last claim. */
  #isUnanswered = false;
  readonly #idle = new Set<string>();
  /** Tasks that this machine got from the server and could not prepare. */
  readonly #unprepared = new Map<string, { readonly id: string; readonly title: string; readonly why: string }>();
  #told = '';

  constructor(rm: Ringmaster, options: ServerTasksOptions) {
    this.#rm = rm;
    this.#options = options;
    this.#output = new OutputSender(rm, (input) => options.server.output({ ...this.#machine, ...input }));
  }

  get #machine(): Pick<MachineHeartbeat, 'machine' | 'key'> {
    const { machine, key } = this.#options.binding;
    return { machine, key };
  }

  #tasks(): readonly ServerTask[] {
    return serverTasks(this.#rm.store.reader);
  }

  #taskOf({ task_id }: Pick<Attempt, 'task_id'>): ServerTask {
    const found = this.#tasks().find(({ task, report }) => task === task_id && report === undefined);
    if (found !== undefined) return found;
    throw ringmasterErrors.STALE_TOKEN(`The server no longer lets this machine work on ${task_id}`);
  }

  /** Asks the server which leases are still valid, until it answers. No attempt may continue before that. */
  async resume(): Promise<void> {
    for (const held of this.#tasks().filter(({ report }) => report === undefined)) {
      for (;;) {
        try {
          await this.#beat(held);
          break;
        } catch (error) {
          if (isGone(error)) {
            await this.#lose(held);
            break;
          }
          this.#problem(error);
          await delay(RETRY_EVERY, this.#options.signal);
          if (this.#options.signal.aborted) throw error;
        }
      }
    }
    this.#tending = this.#tend();
  }

  async next(worker: string): Promise<Offer | undefined> {
    if (performance.now() < (this.#quietUntil.get(worker) ?? 0)) return undefined;
    const asked = performance.now();
    const work = await this.#claim(worker);
    if (work === undefined) return undefined;
    this.#validUntil.set(work.token, asked + work.lease_seconds * SECOND);
    try {
      await this.#whileHeld(work.token, work.lease_seconds, () => this.#accept(work));
      this.#unprepared.delete(work.task.id);
      failpoint('ringmaster.server.accepted');
      return { task: work.task.id, lease_seconds: work.lease_seconds };
    } catch (error) {
      this.#problem(error);
      this.#quietUntil.set(worker, performance.now() + UNPREPARED_WAIT);
      const why = error instanceof Error ? error.message : String(error);
      const { id, title } = work.task;
      this.#unprepared.set(id, { id, title, why });
      const text = `${this.#machine.machine} could not prepare it: ${why}`;
      const released = { kind: 'released', failure_class: 'infrastructure', text, head_commit: null } as const;
      // If this request fails, the server releases the task at the worker's next claim, which does not list this token.
      await this.#options.server.finish({ ...this.#machine, token: work.token, ...released }).catch(() => undefined);
      return undefined;
    }
  }

  async #claim(worker: string): Promise<MachineWork | undefined> {
    const { id, type, capabilities, max_concurrent } = existingWorker(this.#rm.store.reader, worker);
    const { test_command, review_command } = this.#rm.config.run;
    this.#quietUntil.set(worker, performance.now() + LOOK_EVERY);
    try {
      const { work, reason } = await this.#options.server.claim({
        ...this.#machine,
        worker: id,
        type: type as MachineClaim['type'],
        capabilities: textList(capabilities),
        max_concurrent,
        test_command,
        review_command,
        held: this.#tasks().map(({ token }) => token),
        project: this.#options.project,
      });
      this.#isUnanswered = false;
      this.#told = '';
      if (work === null) this.#noteIdle(id, `the server has no task for ${id}: ${reason ?? ''}`);
      else this.#idle.delete(id);
      return work ?? undefined;
    } catch (error) {
      const wait = isUnprepared(error) ? UNPREPARED_WAIT : RETRY_EVERY;
      this.#quietUntil.set(worker, performance.now() + wait);
      // WORKER_UNAVAILABLE is an answer: the server has parked or paused the worker.
      this.#isUnanswered = !isHoldfastError(error, 'WORKER_UNAVAILABLE');
      if (this.#isUnanswered) this.#problem(error);
      else this.#noteIdle(id, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Fetches the starting point and stores a copy of the task. */
  async #accept(work: MachineWork): Promise<void> {
    const { token, attempt, task, branch, base_commit: base, from_commit: from } = work;
    const isSafe = isId(task.id) && [base, from].every((commit) => COMMIT.test(commit));
    if (!isSafe || branch !== branchName({ task_id: task.id, number: attempt })) {
      throw ringmasterErrors.TEXT_INVALID('The server sent an invalid task');
    }
    if (this.#tasks().some((held) => held.task === task.id)) {
      throw ringmasterErrors.TASK_RUNNING(`The previous attempt of ${task.id} is still ending here`);
    }
    const own = this.#rm.config.run.git_remote;
    const url = own === '' ? work.git_remote : own;
    if (url === null) {
      throw ringmasterErrors.REMOTE_NOT_FOUND(
        'The remote repository of the project is a path on the server: set git_remote in [run] of ringmaster.toml here',
      );
    }
    const repository = inside(this.#rm.workspace.filesPath, 'repositories', checkId(task.project_id));
    if ((await commitOf(repository, 'HEAD').catch(() => undefined)) === undefined) await makeClone(repository);
    if (!(await fetchBranch({ repository, url, branch, allowsPath: own !== '' }, from, undefined))) {
      throw ringmasterErrors.BRANCH_NOT_ARRIVED(`The remote repository has no branch ${branch}`);
    }
    await setBranch(repository, CLONE_BRANCH, from);
    await this.#rm.store.write(`server: ${task.id}`, (tx) => {
      putCopy(tx, this.#rm, work, repository);
      putServerTask(tx, { token, task: task.id, branch, base, from, url, leaseSeconds: work.lease_seconds });
    });
    this.#offered.set(token, performance.now());
  }

  startingPoint(attempt: Attempt, _repository: Repository): Promise<StartingPoint> {
    const { base, from } = this.#taskOf(attempt);
    return Promise.resolve({ base, from, dependencies: [] });
  }

  lease({ task_id }: Attempt): ReturnType<TaskSource['lease']> {
    const held = this.#tasks().find(({ task }) => task === task_id);
    return leaseOf(held?.leaseSeconds ?? this.#rm.config.queue.lease_seconds);
  }

  async renew(attempt: Attempt): Promise<{ readonly cancel: boolean }> {
    const held = this.#taskOf(attempt);
    const reply = await this.#beat(held).catch(async (error: unknown) => {
      if (!isGone(error) && !this.#isEnding(held)) throw error;
      await this.#lose(held);
      throw ringmasterErrors.STALE_TOKEN(`The lease of ${held.task} is lost`, { cause: error });
    });
    await heartbeat(this.#rm, { token: attempt.id, lease_seconds: held.leaseSeconds });
    return reply;
  }

  /** Returns whether the lease may expire before the server answers the next heartbeat. */
  #isEnding({ token, leaseSeconds }: ServerTask): boolean {
    const margin = 2 * HEARTBEAT_SHARE * leaseSeconds * SECOND;
    return performance.now() + margin >= (this.#validUntil.get(token) ?? 0);
  }

  async #beat({ token, leaseSeconds }: Pick<ServerTask, 'token' | 'leaseSeconds'>): Promise<{ cancel: boolean }> {
    const asked = performance.now();
    const input = { ...this.#machine, token };
    const reply = await this.#options.server.heartbeat(input, leaseSeconds * SECOND * HEARTBEAT_SHARE);
    this.#validUntil.set(token, asked + leaseSeconds * SECOND);
    return reply;
  }

  async #whileHeld<T>(token: number, leaseSeconds: number, body: () => Promise<T>): Promise<T> {
    const renew = async (): Promise<'renewed' | 'lost'> => {
      try {
        await this.#beat({ token, leaseSeconds });
        return 'renewed';
      } catch (error) {
        if (isGone(error)) return 'lost';
        throw error;
      }
    };
    const lease = new HeldLease({ ...leaseOf(leaseSeconds), renew }, performance.now());
    try {
      return await body();
    } finally {
      lease.stop();
    }
  }

  /** Ends the attempt on this machine, because another worker may have the task now. */
  #lose({ token, task }: ServerTask): Promise<void> {
    return this.#rm.store.write(`server: ${task} lost`, (tx) => {
      removeServerTask(tx, token);
      const live = liveAttemptOfTask(tx, task);
      const reason = 'The lease from the server is lost';
      if (live !== undefined) this.#release(tx, live, { kind: 'released', failureClass: 'infrastructure', reason });
    });
  }

  /** Ends the attempt in this machine's database. The server decides what happens to the task. */
  #release(tx: Tx, live: Attempt, finish: Finish, outputPath: string | null = null): Task {
    const { text: reason = null, failure_class: failureClass = null, park } = reportOf(finish);
    const ending = { outcome: 'released', failureClass, reason, outputPath, park, isAsked: true } as const;
    finishAttempt(tx, this.#rm, workerCall(this.#rm, live.worker_id), live, ending);
    updateTask(tx, live.task_id, { status: 'draft' });
    return existingTask(tx, live.task_id);
  }

  async finish(attempt: Attempt, finish: Finish, options: FinishOptions = {}): Promise<string> {
    const end = (tx: Tx, _rm: Ringmaster, { live, finish: how, head, outputPath }: EndingRun): Task => {
      putServerTask(tx, { ...this.#taskOf(live), report: reportOf(how), head: head ?? null });
      return this.#release(tx, live, how, outputPath);
    };
    await finishRun(this.#rm, attempt, finish, { ...options, end });
    this.#wake();
    return 'reporting';
  }

  isBusy(): boolean {
    return this.#isUnanswered || this.#tasks().length > 0;
  }

  /** The server knows which of its tasks are unfinished. This machine knows only those that it could not start. */
  unfinished(): ReturnType<TaskSource['unfinished']> {
    return [...this.#unprepared.values()];
  }

  /**
   * Waits for up to `drain_seconds` until the server has accepted all reports. The next run sends the remaining ones.
   */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#wake();
    await this.#tending;
    const patience = delay(this.#rm.config.run.drain_seconds * SECOND, this.#abandoned.signal);
    await Promise.race([Promise.all(this.#delivering.values()), patience]);
    this.#abandoned.abort();
    await Promise.all(this.#delivering.values());
  }

  /** Sends the output of running attempts, and the reports of ended ones. */
  async #tend(): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = this.#closed.signal.aborted;
      for (const held of this.#tasks()) await this.#tendTo(held);
      if (isLast) return;
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await delay(LOOK_EVERY, woken.signal);
    }
  }

  async #tendTo(held: ServerTask): Promise<void> {
    const { token, task, report } = held;
    const attempt = attemptsOf(this.#rm.store.reader, task).at(-1);
    if (report === undefined && attempt?.ended_at === null) {
      this.#offered.delete(token);
      // Only tells people about a failure. If the lease is lost, the next heartbeat notices that.
      return this.#output.send(held, attempt.id).catch((error: unknown) => this.#problem(error));
    }
    const offered = this.#offered.get(token);
    const isOffered = report === undefined && offered !== undefined && performance.now() - offered < OFFER_MAX;
    if (isOffered || this.#delivering.has(token)) return;
    const delivered = this.#deliver(held, attempt)
      .catch((error: unknown) => this.#problem(error))
      .finally(() => this.#delivering.delete(token));
    this.#delivering.set(token, delivered);
  }

  /**
   * Pushes the branch and sends the report. Tries again until the server has accepted the report or has taken the task
   * back.
   */
  async #deliver(held: ServerTask, attempt: Attempt | undefined): Promise<void> {
    const { token, task, leaseSeconds } = held;
    await this.#whileHeld(token, leaseSeconds, async () => {
      while (!this.#abandoned.signal.aborted && this.#tasks().some((one) => one.token === token)) {
        try {
          const status = await this.#report(held, attempt);
          await this.#forget(held, { kind: 'note', task, text: `${task} is ${status} on the server` });
        } catch (error) {
          const text = error instanceof Error ? error.message : String(error);
          if (isGone(error)) await this.#forget(held, { kind: 'lost', task, text });
          else {
            this.#problem(error);
            await delay(RETRY_EVERY, this.#abandoned.signal);
          }
        }
      }
    });
  }

  async #report(held: ServerTask, attempt: Attempt | undefined): Promise<string> {
    const { token, task, branch, from, url, head = null } = held;
    await this.#beat(held);
    const repository = runsOfTask(this.#rm.store.reader, task)[0]?.repository ?? null;
    if (repository !== null && head !== null && head !== from) {
      await pushBranch({ repository, url, branch, allowsPath: this.#rm.config.run.git_remote !== '' }, head);
    }
    failpoint('ringmaster.server.pushed');
    if (attempt !== undefined) await this.#output.send(held, attempt.id);
    const report = held.report ?? endOf(attempt);
    const { status } = await this.#options.server.finish({ ...this.#machine, token, ...report, head_commit: head });
    failpoint('ringmaster.server.reported');
    return status;
  }

  async #forget(held: ServerTask, event: RunEvent): Promise<void> {
    await this.#rm.store.write(`server: ${held.task} reported`, (tx) => removeServerTask(tx, held.token));
    this.#options.tell(event);
    // Workers may ask for tasks again at once, because the report may have made other tasks ready.
    this.#quietUntil.clear();
    const run = runsOfTask(this.#rm.store.reader, held.task)[0];
    if (run === undefined || run.repository === null || run.branch === null || held.head === null) return;
    // This machine no longer needs the branch: the server has the work, or has given the task to another worker.
    await deleteBranch(run.repository, run.branch, held.head ?? held.from).catch(() => undefined);
  }

  /**
   * Tells people about a problem, but does not repeat the same text until the problem changes or the server answers a
   * claim.
   */
  #problem(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== this.#told) this.#options.tell({ kind: 'problem', text });
    this.#told = text;
  }

  /** Tells people once why a worker has nothing to do, until it gets a task. */
  #noteIdle(worker: string, text: string): void {
    if (!this.#idle.has(worker)) this.#options.tell({ kind: 'note', text });
    this.#idle.add(worker);
  }
}

function leaseOf(seconds: number): ReturnType<TaskSource['lease']> {
  return { durationMs: seconds * SECOND, renewEveryMs: seconds * SECOND * HEARTBEAT_SHARE };
}

/** Errors of a claim for which the server could not push the attempt's branch. They do not end within seconds. */
const UNPREPARED: ReadonlySet<string> = new Set([
  'CONFIG_INVALID',
  'FOLDER_NOT_USABLE',
  'GIT_FAILED',
  'GIT_REPOSITORY_REFUSED',
  'REMOTE_ADDRESS',
  'REMOTE_NOT_FOUND',
  'REMOTE_REFUSED',
  'REMOTE_UNREACHABLE',
]);

function isUnprepared(error: unknown): boolean {
  return isHoldfastError(error) && UNPREPARED.has(error.code);
}

/** Returns whether the attempt no longer belongs to this machine. */
function isGone(error: unknown): boolean {
  return isHoldfastError(error, 'STALE_TOKEN') || isHoldfastError(error, 'ATTEMPT_NOT_FOUND');
}

/**
 * Returns a report for an attempt that ended without one, because too many supervisors died or the attempt never began.
 */
function endOf(attempt: Attempt | undefined): ReportedFinish {
  const text = attempt?.reason ?? 'The machine did not begin the task';
  return attempt?.outcome === 'blocked'
    ? { kind: 'blocked', text }
    : { kind: 'released', failure_class: 'infrastructure', text };
}

/** Stores a copy of the server's task. Only the claim that follows can start it. */
function putCopy(tx: Tx, rm: Ringmaster, { attempt, task, brief, review }: MachineWork, repository: string): void {
  const { now } = callOf(rm);
  const { id, project_id, title, model } = task;
  if (findProject(tx, project_id) === undefined) {
    insertProject(tx, { id: project_id, name: project_id, description: null, tech_stack: null, created_at: now });
  }
  updateSettings(tx, project_id, JSON.stringify({ repository, review, auto_merge: false }), now);
  // Sets the count so that the attempt gets the same number here as on the server.
  const counted = { attempts: attempt - 1, status: 'ready', next_eligible_at: null } as const;
  const copy = { title, model, description: brief, ...counted };
  if (findTask(tx, id) === undefined) insertTask(tx, { id, project_id, type: 'task', ...copy });
  else updateTask(tx, id, { project_id, ...copy });
}
