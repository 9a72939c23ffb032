import { failpoint, Limiter, toTimestamp } from '@holdfast/base';

import type { Staged } from '../../adapters/blobs.ts';
import { Tree } from '../../adapters/tree.ts';
import { batchOf, type EventResult, type FileEvent, operationOf } from '../../model/event.ts';
import { backoffMs, type Failure, failureOf } from '../../model/failure.ts';
import type { NoteChange } from '../../model/note/facts.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Intent } from '../../model/operation.ts';
import type { SelectedEvent } from '../../model/select-group.ts';
import { milliseconds } from '../../model/settings.ts';
import * as eventStore from '../../store/events.ts';
import { checkFence, type Lease } from '../../store/lanes.ts';
import { putNotes } from '../../store/notes.ts';
import { inSavepoint, type Transaction } from '../../store/open.ts';
import type { Codex } from '../codex.ts';
import type { Work } from '../handlers/handler.ts';
import { applyIntent, finishIntent, undoIntent } from '../handlers/index.ts';
import { plan, requireNew } from '../handlers/plan.ts';

/** A notebook whose lease this process holds. */
export interface LaneContext {
  readonly codex: Codex;
  readonly notebook: Notebook;
  readonly lease: Lease;
  /** Throws if the lease may have expired, because another process may then hold the lane. */
  checkLease(): void;
  /** Returns true if this process should stop and leave the rest of the queue to the lane's next owner. */
  isEnding(): boolean;
  /** Reports an operation that could not be finished. The lane recovers that operation before it continues. */
  fail(error: unknown): void;
}

/** Number of files written concurrently. Most of the time is spent waiting for the disk. */
const AT_ONCE = 8;

interface Step {
  chosen: SelectedEvent;
  work: Work;
  /** Content produced by planning. It is staged before the file is written. */
  made?: Staged;
  intent?: Intent;
  done?: unknown;
  failure?: Failure;
}

/**
 * Runs events that do not conflict: plans each, stores the intents in one commit, carries them out, syncs the files,
 * and records the results in one commit. After a crash in between, `recover` carries out the stored intents again.
 */
export async function runGroup(lane: LaneContext, group: readonly SelectedEvent[]): Promise<void> {
  using tree = new Tree(lane.notebook.path);
  const steps = group.map((chosen): Step => ({ chosen, work: workOf(lane, tree, chosen) }));
  await atOnce(steps, (step) => attempt(step, () => planStep(lane, tree, step)));
  lane.checkLease();
  const claimed = await claim(lane, steps);
  failpoint('codex.group.claimed');
  await carryOut(lane, tree, claimed);
}

/** Continues events whose intents are already stored. */
export async function resumeGroup(lane: LaneContext, events: readonly FileEvent[]): Promise<void> {
  using tree = new Tree(lane.notebook.path);
  const steps: Step[] = [];
  for (const event of events) {
    const chosen: SelectedEvent = { event, operation: null, content: event.content, absorbed: [] };
    const intent = eventStore.intentOf(lane.codex.store.reader, event.id);
    if (intent !== undefined) steps.push({ chosen, work: workOf(lane, tree, chosen), intent });
  }
  await carryOut(lane, tree, steps);
}

async function carryOut(lane: LaneContext, tree: Tree, steps: readonly Step[]): Promise<void> {
  lane.checkLease();
  await atOnce(steps, (step) => attempt(step, () => applyStep(step)));
  failpoint('codex.group.applied');
  await tree.sync();
  failpoint('codex.group.synced');
  for (const step of steps) if (step.failure !== undefined) await takeBack(lane, step);
  lane.checkLease();
  await record(lane, steps);
  failpoint('codex.group.recorded');
}

function workOf({ codex, notebook }: LaneContext, tree: Tree, { event, content }: SelectedEvent): Work {
  const { store, settings, newId, newCorrelationId, deviceOf } = codex;
  return {
    event,
    content,
    notebook,
    tree,
    reader: store.reader,
    settings,
    newId,
    newCorrelationId,
    deviceOf,
    notes: [],
  };
}

async function planStep(lane: LaneContext, tree: Tree, step: Step): Promise<void> {
  const { reader } = lane.codex.store;
  const { event, operation, absorbed } = step.chosen;
  // A retry continues with the intent of its first attempt.
  const begun = event.retry_count > 0 ? eventStore.intentOf(reader, event.id) : undefined;
  if (begun !== undefined) {
    step.intent = begun;
    return;
  }
  try {
    if (absorbed.length > 0) requireNew(step.work, operation);
    await planChosen(step);
  } catch (error) {
    const first = absorbed[0] === undefined ? undefined : eventStore.findEvent(reader, absorbed[0]);
    if (first === undefined) throw error;
    // The folded operation is impossible. Run its operations one by one, so that each fails only for its own reason.
    step.chosen = { event: first, operation: operationOf(first), content: first.content, absorbed: [] };
    step.work = workOf(lane, tree, step.chosen);
    await planChosen(step);
  }
}

async function planChosen(step: Step): Promise<void> {
  const { intent, made } = await plan(step.work, step.chosen.operation);
  step.intent = intent;
  if (made === undefined) return;
  step.made = made;
  step.work = { ...step.work, content: made.inline ?? null };
}

async function applyStep(step: Step): Promise<void> {
  if (step.intent !== undefined) step.done = await applyIntent(step.work, step.intent);
}

async function attempt(step: Step, action: () => Promise<void>): Promise<void> {
  if (step.failure !== undefined) return;
  try {
    await action();
  } catch (error) {
    step.failure = failureOf(error);
  }
}

/**
 * Stores the intents and starts the events, in one commit. Skips events that are impossible or were cancelled in the
 * meantime.
 */
async function claim(lane: LaneContext, steps: readonly Step[]): Promise<readonly Step[]> {
  const { codex, lease, notebook } = lane;
  return codex.store.write('codex claim', (tx) => {
    checkFence(tx, lease);
    const at = codex.clock();
    const now = toTimestamp(at);
    let change = eventStore.nextChange(tx, steps.length) - steps.length;
    return steps.filter(({ chosen, intent, failure, made }) => {
      const ids = [chosen.event.id, ...chosen.absorbed];
      if (!ids.every((id) => eventStore.isPending(tx, id))) return false;
      if (chosen.absorbed.length > 0) {
        eventStore.setEffective(tx, chosen.event.id, chosen.operation, chosen.content);
        for (const id of chosen.absorbed) eventStore.endEvent(tx, id, 'superseded', now, chosen.event.id);
      }
      if (failure !== undefined || intent === undefined) {
        if (failure !== undefined) recordFailure(tx, lane, chosen.event, failure, at);
        return false;
      }
      if (made !== undefined) keepMade(tx, chosen, made);
      change += 1;
      eventStore.startEvent(tx, chosen.event.id, lease.fence, now, change);
      eventStore.saveIntent(tx, chosen.event.id, notebook.id, intent);
      return true;
    });
  });
}

/** Stores the content with the event, because recovery needs it. */
function keepMade(tx: Transaction, { event, operation }: SelectedEvent, { hash, size, inline }: Staged): void {
  if (operation?.type !== 'update') return;
  eventStore.setEffective(tx, event.id, { ...operation, staged: { hash, size } }, inline ?? null);
}

async function takeBack(lane: LaneContext, step: Step): Promise<void> {
  const { failure, intent, work, chosen } = step;
  if (failure === undefined || intent === undefined || willRetry(lane, chosen.event, failure)) return;
  try {
    await undoIntent(work, intent);
  } catch {
    // The next comparison of folder and index finds steps that were not undone.
  }
}

/** Records files, events and pending git changes in one commit. An event that cannot be recorded fails alone. */
async function record(lane: LaneContext, steps: readonly Step[]): Promise<void> {
  const { codex, lease, notebook } = lane;
  if (steps.length === 0) return;
  let notes: NoteChange[] = [];
  const recorded = codex.store.write('codex record', (tx) => {
    notes = [];
    checkFence(tx, lease);
    const now = codex.clock();
    const before = eventStore.nextChange(tx, steps.length) - steps.length;
    const done = steps.filter((step, at) => recordStep(tx, lane, step, now, before + at + 1));
    eventStore.dropIntents(
      tx,
      done.map(({ chosen }) => chosen.event.id),
    );
    notes = steps.flatMap(({ work }) => work.notes);
  });
  // Indexes in the same commit as the results. If indexing fails, nothing is lost: the index catches up later.
  const indexed = codex.store.derive((tx) => putNotes(tx, notebook.id, notes));
  const [, index] = await Promise.all([recorded, Promise.allSettled([indexed])]);
  if (index[0].status === 'rejected') codex.problems.report(notebook.id, 'queue', index[0].reason);
  if (index[0].status === 'rejected' || notes.some(leavesWork)) codex.notes.wake(notebook.id);
  codex.git.scheduleCommit(notebook.id);
}

/** Returns true if the change leaves background work: deleting texts from the index, or reading stale files again. */
function leavesWork({ kind }: NoteChange): boolean {
  return kind === 'gone' || kind === 'trashed' || kind === 'stale';
}

/** Returns true if the event is completed; its intent is then no longer needed. */
function recordStep(tx: Transaction, lane: LaneContext, step: Step, now: number, changeSeq: number): boolean {
  const { chosen, work, intent, done } = step;
  const { id } = chosen.event;
  let { failure } = step;
  work.notes.length = 0;
  if (failure === undefined && intent !== undefined) {
    try {
      inSavepoint(tx, () => {
        const result: EventResult = finishIntent(tx, work, intent, done, toTimestamp(now));
        eventStore.completeEvent(tx, id, result, toTimestamp(now), changeSeq);
      });
      return true;
    } catch (error) {
      work.notes.length = 0;
      failure = failureOf(error);
    }
  }
  if (failure !== undefined) recordFailure(tx, lane, chosen.event, failure, now);
  return false;
}

function recordFailure(tx: Transaction, lane: LaneContext, event: FileEvent, failure: Failure, now: number): void {
  const { settings, random } = lane.codex;
  const tries = event.retry_count + 1;
  if (willRetry(lane, event, failure)) {
    const wait = backoffMs(
      tries,
      milliseconds(settings.retry_backoff),
      milliseconds(settings.retry_backoff_max),
      random,
    );
    eventStore.postponeEvent(tx, event.id, failure, tries, now + wait);
    return;
  }
  eventStore.failEvent(tx, event.id, failure, failure.isTransient ? tries : event.retry_count, toTimestamp(now));
  eventStore.dropIntents(tx, [event.id]);
  const batch = batchOf(event);
  if (batch !== null) eventStore.skipRestOfBatch(tx, batch, event.sequence, toTimestamp(now));
}

function willRetry({ codex }: LaneContext, event: FileEvent, failure: Failure): boolean {
  return failure.isTransient && (failure.isOutside || event.retry_count + 1 < codex.settings.max_retries);
}

async function atOnce(steps: readonly Step[], action: (step: Step) => Promise<void>): Promise<void> {
  const limiter = new Limiter(AT_ONCE);
  await Promise.all(steps.map((step) => limiter.run(() => action(step))));
}
