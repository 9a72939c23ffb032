import { isHoldfastError } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';
import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import type { Event, EventType, PayloadOf } from '../model/event.ts';
import {
  claimHolder,
  countByStatus,
  type Goal,
  NO_TASKS,
  type Session,
  type StatusCounts,
  STATUSES,
  statusNeedsReason,
  type Task,
} from '../model/plan.ts';
import { events, goals, sessions, stats, tasks } from '../store/definitions.ts';
import { type Call, type Np, resolveSession, resolveTask } from './np.ts';

/**
 * A change to a session in one transaction: tasks, goal, events, counts and the time of the last update go into the
 * same commit. An operation that changes nothing writes nothing.
 */
export class Change {
  readonly tx: Transaction;
  readonly session: Session;
  readonly at: string;
  readonly #call: Pick<Call, 'cmd' | 'actor'>;
  readonly #counts = { ...NO_TASKS };
  #hasChanged = false;
  #hasCounted = false;

  constructor(tx: Transaction, session: Session, at: string, call: Pick<Call, 'cmd' | 'actor'>) {
    this.tx = tx;
    this.session = session;
    this.at = at;
    this.#call = call;
  }

  /** The actor as a field of events and notes; an empty object if the actor is unknown. */
  get by(): { readonly actor?: string } {
    const { actor } = this.#call;
    return actor === undefined ? {} : { actor };
  }

  get sid(): string {
    return this.session.sid;
  }

  /** Returns the number of the next event. */
  nextSeq(): Promise<number> {
    return this.tx.next(events, { sid: this.sid });
  }

  emit<Type extends EventType>(type: Type, payload: PayloadOf<Type>, reason: string | undefined): void {
    this.#hasChanged = true;
    const rest = { at: this.at, type, reason: reason ?? null, cmd: this.#call.cmd, ...this.by, payload };
    this.tx.append(events, { sid: this.sid }, (seq) => ({ seq, ...rest }) as Event);
  }

  emitStatus(before: Task, after: Task, reason: string | undefined): void {
    const { id: task_id, title, status: status_after } = after;
    const { status: status_before } = before;
    if (status_before === status_after) return;
    this.emit('task_status_changed', { task_id, title, status_before, status_after, updated_at: this.at }, reason);
  }

  /** Throws if another actor has claimed the task. */
  requireUnclaimed(task: Task): void {
    const holder = claimHolder(task, this.at);
    if (holder === undefined || holder === this.#call.actor) return;
    const until = task.claimed_until === undefined ? '' : ` until ${task.claimed_until}`;
    throw npErrors.TASK_CLAIMED(`Task ${task.id} is claimed by ${holder}${until}.`, {
      details: { id: task.id, actor: holder },
    });
  }

  task(idOrPrefix: string): Promise<Task> {
    return resolveTask(this.tx, this.sid, idOrPrefix);
  }

  async setGoal(
    { title, description }: Pick<Goal, 'title' | 'description'>,
    reason: string | undefined,
  ): Promise<Goal> {
    const goal = { title, description, updated_at: this.at };
    await this.tx.put(goals, { sid: this.sid }, goal);
    this.emit('goal_set', { goal }, reason);
    return goal;
  }

  async addTask(task: Task): Promise<void> {
    this.#count(undefined, task);
    await this.tx.insert(tasks, { sid: this.sid, id: task.id }, task);
  }

  /** Returns the new version of the task. */
  async updateTask(before: Task, changes: Partial<Task>): Promise<Task> {
    const after = withConsistentFields({ ...before, ...changes, updated_at: this.at, version: before.version + 1 });
    this.#count(before, after);
    await this.tx.put(tasks, { sid: this.sid, id: before.id }, after);
    return after;
  }

  async removeTask(task: Task): Promise<void> {
    this.#count(task, undefined);
    await this.tx.delete(tasks, { sid: this.sid, id: task.id });
  }

  async finish(): Promise<void> {
    if (!this.#hasChanged) return;
    const key = { sid: this.sid };
    await this.tx.update(sessions, key, (session) => ({ ...session, last_updated_at: this.at }));
    if (!this.#hasCounted) return;
    await this.tx.put(stats, key, { ...(await this.#newCounts()), updated_at: this.at });
  }

  /** Updates the stored counts; if they are damaged, counts all tasks. */
  async #newCounts(): Promise<StatusCounts> {
    const key = { sid: this.sid };
    try {
      const { updated_at: _, ...known } = (await this.tx.get(stats, key)) ?? { ...NO_TASKS, updated_at: this.at };
      const counts = { ...known };
      for (const status of STATUSES) counts[status] += this.#counts[status];
      return counts;
    } catch (error) {
      if (!isHoldfastError(error, 'VALUE_UNREADABLE')) throw error;
      return countByStatus(await this.tx.list(tasks, key));
    }
  }

  #count(before: Task | undefined, after: Task | undefined): void {
    if (before?.status === after?.status) return;
    this.#hasCounted = true;
    if (before !== undefined) this.#counts[before.status] -= 1;
    if (after !== undefined) this.#counts[after.status] += 1;
  }
}

/** Removes fields that the status rules out: a pending task has no actor, and a completed task has no reason. */
function withConsistentFields({ actor, claimed_until, reason, ...task }: Task): Task {
  return {
    ...task,
    ...(actor === undefined || task.status === 'pending' ? {} : { actor }),
    ...(claimed_until === undefined || task.status !== 'in_progress' ? {} : { claimed_until }),
    ...(reason === undefined || !statusNeedsReason(task.status) ? {} : { reason }),
  };
}

/** Runs an operation on an active session; retries it after a conflict. */
export function changeSession<T>(np: Np, call: Call, body: (change: Change) => Promise<T>): Promise<T> {
  const at = toTime(np.now());
  return np.store.transact(async (tx) => {
    const session = await resolveSession(tx, call.where);
    if (session.state === 'archived') throw npErrors.SESSION_ARCHIVED(`Session ${session.sid} is archived.`);
    const change = new Change(tx, session, at, call);
    const result = await body(change);
    await change.finish();
    return result;
  });
}
