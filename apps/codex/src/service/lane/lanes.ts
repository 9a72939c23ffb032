import { HeldLease, isHoldfastError, type Renewal, SECOND } from '@holdfast/base';

import { codexErrors } from '../../model/errors.ts';
import { milliseconds } from '../../model/settings.ts';
import { busyNotebooks } from '../../store/events.ts';
import { freeLane, isLaneFree, laneOf, type LaneRow, type Lease, renewLane, takeLane } from '../../store/lanes.ts';
import { findNotebook } from '../../store/notebooks.ts';
import type { Codex } from '../codex.ts';
import { pauseOf } from '../pause.ts';
import { drain, recover } from './drain.ts';
import type { LaneContext } from './run-group.ts';

const TRY_AGAIN_MS: number = SECOND;

interface Held {
  readonly lease: Lease;
  readonly heartbeat: HeldLease;
}

class LaneState {
  held: Held | undefined;
  timer: NodeJS.Timeout | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  isRecovered = false;
  isRunning = false;
  isWanted = false;
  isClosed = false;
}

/**
 * Runs one serial lane per notebook, and limits how many run at once. A process holds a lane under a lease. A process
 * that finds work in a notebook without a live owner takes the lane and first finishes the operations that were already
 * started.
 */
export class Lanes {
  readonly #codex: Codex;
  readonly #states = new Map<number, LaneState>();
  readonly #waiting = new Set<number>();
  readonly #running = new Set<Promise<void>>();
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(codex: Codex) {
    this.#codex = codex;
  }

  /** Starts to process all queues, including operations that other processes add. */
  start(): void {
    const look = (): void => {
      for (const id of busyNotebooks(this.#codex.store.reader)) this.wake(id);
    };
    this.#unsubscribe = this.#codex.store.onChange(look);
    look();
  }

  wake(notebookId: number): void {
    if (this.#isClosed) return;
    const state = this.#state(notebookId);
    if (state.isClosed) return;
    state.isWanted = true;
    if (state.isRunning) return;
    this.#waiting.add(notebookId);
    this.#fill();
  }

  /** Closes the lane of a notebook that is being removed, after its running operations have finished. */
  async retire(notebookId: number): Promise<void> {
    const state = this.#state(notebookId);
    state.isClosed = true;
    this.#waiting.delete(notebookId);
    while (state.isRunning) await Promise.race(this.#running);
    await this.#release(notebookId, state);
  }

  /** Finishes the running groups and releases every lane; other operations stay queued. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe?.();
    this.#waiting.clear();
    await Promise.all(this.#running);
    for (const [id, state] of this.#states) await this.#release(id, state);
  }

  #state(notebookId: number): LaneState {
    let state = this.#states.get(notebookId);
    if (state === undefined) {
      state = new LaneState();
      this.#states.set(notebookId, state);
    }
    return state;
  }

  #fill(): void {
    for (const id of this.#waiting) {
      if (this.#running.size >= this.#codex.settings.worker_pool_size) return;
      this.#waiting.delete(id);
      const state = this.#state(id);
      state.isRunning = true;
      const turn = this.#turn(id, state).finally(() => {
        this.#running.delete(turn);
        state.isRunning = false;
        if (state.isWanted) this.wake(id);
        this.#fill();
      });
      this.#running.add(turn);
    }
  }

  /** Processes the queue of one notebook until nothing is left to do. */
  async #turn(notebookId: number, state: LaneState): Promise<void> {
    clearTimeout(state.timer);
    clearTimeout(state.idleTimer);
    try {
      while (state.isWanted && !this.#isClosed && !state.isClosed) {
        state.isWanted = false;
        const notebook = findNotebook(this.#codex.store.reader, notebookId);
        if (notebook !== undefined && pauseOf(notebook) !== null) {
          this.#later(notebookId, state, TRY_AGAIN_MS);
          return;
        }
        const lane = await this.#acquire(notebookId, state);
        if (lane === undefined) return;
        if (!state.isRecovered) {
          await recover(lane);
          state.isRecovered = true;
        }
        const nextRunAt = await drain(lane);
        this.#codex.problems.clear(notebookId, 'queue');
        if (nextRunAt !== undefined) this.#later(notebookId, state, nextRunAt - this.#codex.clock());
        else this.#giveBackWhenIdle(notebookId, state);
      }
    } catch (error) {
      this.#failed(notebookId, state, error);
    }
  }

  /** Tries again later. The next turn first recovers operations that were running. */
  #failed(notebookId: number, state: LaneState, error: unknown): void {
    state.isRecovered = false;
    if (isHoldfastError(error, 'LANE_LOST')) this.#drop(state);
    if (!this.#isClosed) this.#codex.problems.report(notebookId, 'queue', error);
    this.#later(notebookId, state, TRY_AGAIN_MS);
  }

  async #acquire(notebookId: number, state: LaneState): Promise<LaneContext | undefined> {
    const { store, clock, owner, settings, process } = this.#codex;
    const notebook = findNotebook(store.reader, notebookId);
    if (notebook === undefined) return undefined;
    if (state.held?.heartbeat.isValid === false) this.#drop(state);
    if (state.held === undefined) {
      const other = laneOf(store.reader, notebookId);
      if (other !== undefined && !isLaneFree(other, owner, clock()))
        return this.#waitForOther(notebookId, state, other);
      const asked = performance.now();
      const leaseMs = milliseconds(settings.lease);
      const lease = await store.write('codex take lane', (tx) => {
        const now = clock();
        return takeLane(tx, { notebookId, owner, process, now, leaseUntil: now + leaseMs });
      });
      if (lease === undefined) return this.#waitForOther(notebookId, state, laneOf(store.reader, notebookId));
      const heartbeat = new HeldLease({ durationMs: leaseMs, renew: () => this.#renew(lease) }, asked);
      state.held = { lease, heartbeat };
      state.isRecovered = false;
    }
    const { held } = state;
    const checkLease = (): void => {
      if (state.held === held && held.heartbeat.isValid) return;
      throw codexErrors.LANE_LOST(`The lease of notebook ${notebookId} was not renewed in time`);
    };
    return {
      codex: this.#codex,
      notebook,
      lease: held.lease,
      checkLease,
      isEnding: () => this.#isClosed || state.isClosed,
      fail: (error) => this.#failed(notebookId, state, error),
    };
  }

  #waitForOther(notebookId: number, state: LaneState, other: LaneRow | undefined): undefined {
    const left = (other?.lease_until ?? 0) - this.#codex.clock();
    this.#later(notebookId, state, Math.min(Math.max(left, 0) + 1, TRY_AGAIN_MS));
    return undefined;
  }

  #later(notebookId: number, state: LaneState, delayMs: number): void {
    clearTimeout(state.timer);
    if (this.#isClosed || state.isClosed) return;
    state.timer = setTimeout(() => this.wake(notebookId), Math.max(0, delayMs));
  }

  #giveBackWhenIdle(notebookId: number, state: LaneState): void {
    clearTimeout(state.idleTimer);
    const giveBack = (): void => {
      if (!state.isRunning) void this.#release(notebookId, state);
    };
    state.idleTimer = setTimeout(giveBack, milliseconds(this.#codex.settings.lease)).unref();
  }

  async #renew(lease: Lease): Promise<Renewal> {
    const { store, clock, settings } = this.#codex;
    try {
      await store.write('codex renew lane', (tx) => renewLane(tx, lease, clock() + milliseconds(settings.lease)));
      return 'renewed';
    } catch (error) {
      if (isHoldfastError(error, 'LANE_LOST')) return 'lost';
      throw error;
    }
  }

  #drop(state: LaneState): void {
    state.held?.heartbeat.stop();
    state.held = undefined;
  }

  async #release(notebookId: number, state: LaneState): Promise<void> {
    clearTimeout(state.timer);
    clearTimeout(state.idleTimer);
    const { held } = state;
    if (held === undefined) return;
    this.#drop(state);
    try {
      await this.#codex.store.write('codex give lane back', (tx) => freeLane(tx, held.lease));
    } catch (error) {
      this.#codex.problems.report(notebookId, 'queue', error);
    }
  }
}
