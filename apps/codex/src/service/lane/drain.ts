import { failpoint, toTimestamp } from '@holdfast/base';

import { type FileEvent, operationOf } from '../../model/event.ts';
import { failureOf } from '../../model/failure.ts';
import { selectGroup, type Selection, selectRequests } from '../../model/select-group.ts';
import {
  completeEvent,
  failEvent,
  findEvent,
  requeueEvent,
  startEvent,
  waitingEvents,
  hasRequestAfter,
  nextAreSyncs,
} from '../../store/events.ts';
import { checkFence } from '../../store/lanes.ts';
import { notebookOf } from '../../store/notebooks.ts';
import type { CodexContext } from '../context.ts';
import { pauseOf } from '../pause.ts';
import { followMoves } from './follow-moves.ts';
import { type LaneContext, resumeGroup, runGroup } from './run-group.ts';

const PAGE = 500;
const WAITING_MAX = 100_000;
/** To fill a group of n events, reads up to `SPARE` * n events, because some of them may conflict. */
const SPARE = 2;

/**
 * Finishes operations that another process started. It does not matter where that process stopped, because repeating an
 * intent has the same result. Puts unfinished git commits back into the queue.
 */
export async function recover(lane: LaneContext): Promise<void> {
  const { codex, notebook, lease } = lane;
  let after = 0;
  for (;;) {
    const waiting = waitingEvents(codex.store.reader, notebook.id, after, PAGE);
    const begun = waiting.filter(({ status }) => status === 'processing');
    const commits = begun.filter(({ event_type }) => event_type === 'batch_commit');
    await codex.store.write('codex recover', (tx) => {
      checkFence(tx, lease);
      for (const { id } of commits) requeueEvent(tx, id);
    });
    failpoint('codex.recover.begun');
    const files = begun.filter(({ event_type }) => event_type !== 'batch_commit');
    // Resumes one operation at a time, so that another crash leaves no additional unfinished operations.
    for (const event of files) {
      if (lane.isEnding()) return;
      await resumeGroup(lane, [event]);
    }
    failpoint('codex.recover.group');
    const last = waiting.at(-1);
    if (last === undefined || waiting.length < PAGE) return;
    after = last.id;
  }
}

/** Processes the queue until nothing is due or the lane ends. Returns the time of the next retry. */
export async function drain(lane: LaneContext): Promise<number | undefined> {
  for (let turn = 0; !lane.isEnding(); turn += 1) {
    // Stops while the notebook is paused. The next turn checks again.
    if (pauseOf(notebookOf(lane.codex.store.reader, lane.notebook.id)) !== null) return lane.codex.clock();
    await followMoves(lane);
    // Every second group takes requests first, so that they wait for at most one group of changes by other programs.
    const isForRequests = turn % 2 === 0;
    const { group, commit, nextRunAt } = select(lane.codex, lane.notebook.id, isForRequests);
    if (commit !== undefined) await beginCommit(lane, commit);
    if (group.length > 0) await runAndPause(lane, group);
    else if (commit === undefined) return nextRunAt;
  }
  return undefined;
}

/** Pauses after a full group of changes by other programs, so that an import leaves time for other programs. */
async function runAndPause(lane: LaneContext, group: Selection['group']): Promise<void> {
  const startedAt = performance.now();
  await runGroup(lane, group);
  const { settings, importPause, store } = lane.codex;
  const isImport = group.length >= settings.worker_batch_size && group.every(({ event }) => isSync(event));
  const isInterrupted = (): boolean => lane.isEnding() || hasRequestAfter(store.reader, lane.notebook.id, 0);
  if (isImport) await importPause(performance.now() - startedAt, isInterrupted);
}

function isSync({ event_type }: FileEvent): boolean {
  return event_type === 'sync';
}

function select(codex: CodexContext, notebookId: number, isForRequests: boolean): Selection {
  const limit = codex.settings.worker_batch_size;
  const requests = isForRequests ? requestsBehind(codex, notebookId, limit) : undefined;
  if (requests !== undefined) return requests;
  const waiting: FileEvent[] = [];
  for (let size = limit; ; size = waiting.length < SPARE * limit ? limit : PAGE) {
    const page = waitingEvents(codex.store.reader, notebookId, waiting.at(-1)?.id ?? 0, size);
    waiting.push(...page);
    const selection = selectGroup(waiting, codex.clock(), limit);
    if (selection.group.length === limit || page.length < size) return selection;
    // Events that wait for a retry may fill a whole page. Reads the next page too, so that other events can run while
    // these wait.
    const isSomething = selection.group.length > 0 || selection.commit !== undefined;
    if (isSomething && waiting.length >= SPARE * limit) return selection;
  }
}

/** Selects requests that wait behind more changes by other programs than fit into one group. */
function requestsBehind({ store, clock }: CodexContext, notebookId: number, limit: number): Selection | undefined {
  const syncs = nextAreSyncs(store.reader, notebookId, limit);
  if (syncs === undefined || !hasRequestAfter(store.reader, notebookId, syncs.last)) return undefined;
  const waiting = waitingEvents(store.reader, notebookId, 0, WAITING_MAX);
  const selection = selectRequests(waiting, clock(), limit);
  return selection.group.length === 0 ? undefined : selection;
}

/** Starts a requested commit. Does not wait for git, so that the lane can continue. */
async function beginCommit(lane: LaneContext, event: FileEvent): Promise<void> {
  const { codex, lease, notebook } = lane;
  await codex.store.write('codex begin commit', (tx) => {
    checkFence(tx, lease);
    startEvent(tx, event.id, lease.fence, toTimestamp(codex.clock()));
  });
  failpoint('codex.commit.begun');
  void finishCommit(lane, event.id, codex.git.flush(notebook.id, event.id, wordsOf(event)));
}

function wordsOf(event: FileEvent): string | undefined {
  const operation = operationOf(event);
  return operation?.type === 'batch_commit' ? operation.message : undefined;
}

async function finishCommit(lane: LaneContext, eventId: number, flush: Promise<string | null>): Promise<void> {
  const { codex, lease } = lane;
  try {
    const outcome = await flush.then(
      (sha) => ({ sha }),
      (error: unknown) => ({ failure: failureOf(error) }),
    );
    await codex.store.write('codex end commit', (tx) => {
      const event = findEvent(tx, eventId);
      // If another process has taken over the lane, it requests the commit again.
      if (event?.status !== 'processing' || event.fence !== lease.fence) return;
      const now = toTimestamp(codex.clock());
      if ('failure' in outcome) failEvent(tx, eventId, outcome.failure, 0, now);
      else completeEvent(tx, eventId, { commit_sha: outcome.sha }, now);
    });
    failpoint('codex.commit.ended');
  } catch (error) {
    // The store is full, busy or closed. The event stays unfinished, so the lane must recover it.
    lane.fail(error);
  }
}
