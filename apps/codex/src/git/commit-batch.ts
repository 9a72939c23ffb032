import { delay, failpoint, toTimestamp } from '@holdfast/base';

import { StagedBlobs } from '../adapters/git-content.ts';
import { readHead, syncPacks } from '../adapters/git-repository.ts';
import { importCommits } from '../adapters/git-objects.ts';
import { describeOldLock, takeIndexLock } from '../adapters/git-locks.ts';
import { emptyTree, type IndexChange, IndexCopy } from '../adapters/git-index.ts';
import { codexErrors } from '../model/errors.ts';
import { formatIdentity, type PendingRow } from '../model/git.ts';
import { type BatchRecord, lastCommit, readPending, recordBatch } from '../store/git.ts';
import type { BatchContext } from './notebook-repository.ts';
import { batchIdOf, recordUnrecorded } from './record-unrecorded.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { publishBatch } from './publish-batch.ts';
import { importStream } from './import-stream.ts';
import type { BatchPlan, PlannedChange } from './plan-batch.ts';
import { prepareBatch } from './prepare-batch.ts';
import { queueMoved } from './queue-uncommitted.ts';

export interface BatchOutcome {
  /** Parent of the first commit. */
  readonly base: string | undefined;
  readonly tip: string | undefined;
  readonly commits: number;
  readonly isIndexCurrent: boolean;
  /** Paths that the user has staged and will commit. They stay pending. */
  readonly held: readonly string[];
  readonly lastRow: number;
  /** True if no rows are left to commit, or if all rows of the batch belong to paths that the user has staged. */
  readonly isComplete: boolean;
}

/** Rows per batch, to bound memory. */
const ROWS_MAX = 20_000;
const PIECE = 100;
const TRIES_MAX = 8;
const LOCKED_FROM = 3;
const PAUSE_MS = 20;

/**
 * Commits pending rows on top of the branch. Starts over if the branch moves in the meantime, because the user or
 * another codex process may have committed the same rows.
 */
export async function commitBatch(context: BatchContext): Promise<BatchOutcome> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    await context.opened.guard.check();
    // A program that commits constantly would move the branch before every attempt. The index lock makes it wait.
    const release = attempt < LOCKED_FROM ? undefined : await takeIndexLock(context.opened.repository);
    const outcome = await tryBatch(context, release !== undefined).finally(() => release?.());
    if (outcome !== undefined) return outcome;
    await delay(PAUSE_MS * attempt * (0.5 + context.random()));
  }
  throw codexErrors.GIT_UNAVAILABLE(
    describeOldLock(context.opened.repository) ??
      `Other programs moved the branch ${TRIES_MAX} times during one commit`,
  );
}

const NOTHING_DONE = { commits: 0, isIndexCurrent: true, lastRow: 0, isComplete: true, held: [] } as const;

/** Returns undefined if the branch moved in the meantime. */
async function tryBatch(context: BatchContext, isLocked: boolean): Promise<BatchOutcome | undefined> {
  const { opened, store, notebookId } = context;
  const { repository } = opened;
  const waiting = await allWaiting(context);
  if (waiting.length === 0) {
    const current = (await opened.objects.read('HEAD'))?.oid;
    return { ...NOTHING_DONE, base: current, tip: current };
  }
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head) throw codexErrors.GIT_PAUSED(`Commits are paused: ${head.pausedBecause}`);
  const { branch, tip } = head;
  const lastOwn = lastCommit(store.reader, notebookId)?.sha;
  if (tip !== lastOwn && (await recordUnrecorded(context, { branch, tip }, waiting))) return undefined;
  const moved = await queueMoved(context, waiting, tip);
  using blobs = new StagedBlobs(repository);
  const index = new IndexCopy(repository);
  try {
    const staged = await index.stagedSince(tip);

    const plan = await prepareBatch({ ...context, waiting, blobs, tip, lastOwn, staged });

    const { held, covered } = plan;
    const isAll = covered.length === waiting.length && waiting.length < ROWS_MAX;
    const isComplete = moved === 0 && (isAll || plan.rows.length === 0);
    const seen = { base: tip, lastRow: covered.at(-1)?.id ?? 0, held, isComplete };
    if (plan.commits.length === 0) {
      await record(context, plan, { shas: [], branch, tip, isIndexCurrent: true });
      return { ...NOTHING_DONE, ...seen, tip };
    }

    const { shas, to, keptBy } = await makeCommits({ ...context, tip, blobs }, plan);
    const reason = `codex: ${plan.rows.length} changes`;
    const changes = indexChanges(plan, repository.prefix);
    const move = { branch, from: tip, to, keptBy, reason, changes };
    const { result, isIndexCurrent } = await publishBatch({ ...opened, ...move, index, staged, isLocked });
    if (result === 'raced') return undefined;

    failpoint('codex.git.published');
    await record(context, plan, { shas, branch, tip, isIndexCurrent });

    failpoint('codex.git.recorded');
    return { ...seen, tip: to, commits: shas.length, isIndexCurrent };
  } finally {
    index.discard();
  }
}

interface Making extends BatchContext {
  readonly tip: string | undefined;
  readonly blobs: StagedBlobs;
}

interface NewCommits {
  readonly shas: readonly string[];
  readonly to: string;
  /** Temporary reference that keeps the commits until the branch has them. */
  readonly keptBy: string;
}

/** Creates durable commits that no branch contains yet. */
async function makeCommits(making: Making, plan: BatchPlan): Promise<NewCommits> {
  const { opened, notebookId, tip, words, clock, blobs } = making;
  const { repository } = opened;
  const keptBy = `refs/codex/${notebookId}`;
  const stream = importStream({
    branch: keptBy,
    tip,
    commits: plan.commits,
    prefix: repository.prefix,
    batchId: batchIdOf(plan.rows),
    words,
    now: Math.floor(clock() / 1_000),
    contentOf: (row) => blobs.content(row),
  });
  const shas = await importCommits(repository, stream);

  failpoint('codex.git.imported');
  await syncPacks(repository);
  return { shas, to: shas.at(-1) ?? '', keptBy };
}

/** Reads in pages and yields to the event loop between them. */
async function allWaiting({ store, notebookId }: BatchContext): Promise<readonly PendingRow[]> {
  const waiting: PendingRow[] = [];
  const yielder = new EventLoopYielder();
  for (;;) {
    const piece = readPending(store.reader, notebookId, waiting.at(-1)?.id ?? 0, PIECE);
    waiting.push(...piece);
    if (piece.length < PIECE || waiting.length >= ROWS_MAX) return waiting;
    await yielder.pause();
  }
}

interface Made {
  readonly shas: readonly string[];
  readonly branch: string;
  readonly tip: string | undefined;
  readonly isIndexCurrent: boolean;
}

async function record(context: BatchContext, plan: BatchPlan, made: Made): Promise<void> {
  const { shas, branch, tip } = made;
  const commits = plan.commits.map((commit, at) => ({
    sha: shas[at] ?? '',
    parent: at === 0 ? tip : shas[at - 1],
    branch,
    author: formatIdentity(commit.author),
    pathCount: commit.changes.length,
    eventIds: commit.eventIds,
  }));
  const batch: BatchRecord = {
    notebookId: context.notebookId,
    commits,
    rowIds: plan.rows.map(({ id }) => id),
    eventIds: plan.rows.map(({ eventId }) => eventId),
    tip: shas.at(-1) ?? tip,
    tracked: plan.commits.flatMap(({ changes }, at) => changes.flatMap((change) => tracked(change, shas[at] ?? ''))),
    untracked: plan.refused,
    indexOwedFrom: made.isIndexCurrent ? undefined : (tip ?? emptyTree(context.opened.repository)),
    at: toTimestamp(context.clock()),
  };
  await recordBatch(context.store, batch);
}

function tracked(change: PlannedChange, sha: string): BatchRecord['tracked'] {
  if (change.kind === 'delete') return [];
  return [{ path: change.path, hash: change.source?.hash, sha }];
}

/**
 * Returns the net effect of the batch's commits on the index. If several commits change a path, the last one counts.
 */
function indexChanges(plan: BatchPlan, prefix: string): IndexChange[] {
  const changes = new Map<string, IndexChange>();
  for (const change of plan.commits.flatMap((commit) => commit.changes)) {
    const path = prefix + change.path;
    const { before } = changes.get(path) ?? change;
    changes.set(path, { path, before, entry: change.kind === 'write' ? change.after : undefined });
  }
  return [...changes.values()];
}
