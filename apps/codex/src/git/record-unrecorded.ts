import { createHash } from 'node:crypto';

import { toTimestamp } from '@holdfast/base';
import { gitText } from '@holdfast/git';

import { emptyTree } from '../adapters/git-index.ts';
import { type PendingRow, readTrailers } from '../model/git.ts';
import { lastCommit, recordBatch } from '../store/git.ts';
import type { BatchContext } from './notebook-repository.ts';

/**
 * How many of the latest commits to search. More than one is necessary, because the user may have committed after
 * codex.
 */
const LOOKED_AT = 200;

interface FoundCommit {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly author: string;
  readonly batchId: string;
  readonly eventIds: readonly number[];
}

/**
 * Records a batch that was committed before an interruption, so that it is not committed twice. Returns whether there
 * was such a batch.
 */
export async function recordUnrecorded(
  context: BatchContext,
  head: { readonly branch: string; readonly tip: string | undefined },
  pending: readonly PendingRow[],
): Promise<boolean> {
  const { opened, store, notebookId } = context;
  if (head.tip === undefined || pending.length === 0) return false;
  const found = await ownCommits(context, head.tip);
  const id = found.find((commit) => rowsOfBatch(commit.batchId, pending) !== undefined)?.batchId;
  const rows = id === undefined ? undefined : rowsOfBatch(id, pending);
  if (rows === undefined) return false;
  const commits = found.filter((commit) => commit.batchId === id).toReversed();
  const last = commits.at(-1)?.sha ?? head.tip;
  const before = commits[0]?.parent;
  await recordBatch(store, {
    notebookId,
    commits: commits.map((commit) => ({ ...commit, branch: head.branch, pathCount: 0 })),
    rowIds: rows.map((row) => row.id),
    eventIds: rows.map((row) => row.eventId),
    tip: last,
    tracked: rows.filter(({ kind }) => kind !== 'delete').map((row) => ({ path: row.path, hash: row.hash, sha: last })),
    untracked: [],
    // codex may have been interrupted before it updated the index.
    indexOwedFrom: before ?? emptyTree(opened.repository),
    at: toTimestamp(context.clock()),
  });
  return true;
}

async function ownCommits({ opened, store, notebookId }: BatchContext, tip: string): Promise<FoundCommit[]> {
  const known = lastCommit(store.reader, notebookId)?.sha;
  const isThere = known !== undefined && (await opened.objects.read(known)) !== undefined;
  const args = ['log', `--max-count=${LOOKED_AT}`, '--format=%H%x00%P%x00%an <%ae>%x00%B%x00', tip];
  const text = await gitText(isThere ? [...args, `^${known}`] : args, { folder: opened.repository.root });
  const fields = text.split('\0');
  const found: FoundCommit[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const { batchId, eventIds } = readTrailers(fields[at + 3] ?? '');
    if (batchId === undefined) continue;
    const [parent] = (fields[at + 1] ?? '').split(' ');
    found.push({
      sha: (fields[at] ?? '').trim(),
      parent: parent === '' ? undefined : parent,
      author: fields[at + 2] ?? '',
      batchId,
      eventIds,
    });
  }
  return found;
}

/**
 * Returns an id for the rows of a commit: their numbers, as ranges, and a digest of their content. With this id,
 * recovery finds a commit that was made but not recorded. The digest is needed because another database may have
 * different rows with the same numbers.
 */
export function batchIdOf(rows: readonly PendingRow[]): string {
  return `${toRanges(rows.map(({ id }) => id))}@${digest(rows)}`;
}

/** Returns the rows that a batch id names, if they are unchanged; undefined otherwise. */
export function rowsOfBatch(id: string, pending: readonly PendingRow[]): readonly PendingRow[] | undefined {
  const [ranges = '', expected] = id.split('@');
  const wanted = parseRanges(ranges);
  if (wanted === undefined) return undefined;
  const rows = pending.filter((row) => wanted.some(([first, last]) => row.id >= first && row.id <= last));
  return rows.length > 0 && digest(rows) === expected ? rows : undefined;
}

function digest(rows: readonly PendingRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) {
    hash.update(JSON.stringify([row.id, row.kind, row.path, row.fromPath, row.hash, row.eventId, row.author, row.at]));
  }
  return hash.digest('hex').slice(0, 24);
}

function toRanges(ids: readonly number[]): string {
  const ranges: string[] = [];
  let first: number | undefined;
  for (const [index, id] of ids.entries()) {
    first ??= id;
    if (ids[index + 1] === id + 1) continue;
    ranges.push(first === id ? `${id}` : `${first}-${id}`);
    first = undefined;
  }
  return ranges.join(',');
}

function parseRanges(text: string): (readonly [number, number])[] | undefined {
  const ranges: (readonly [number, number])[] = [];
  for (const part of text.split(',')) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return undefined;
    ranges.push([Number(first), Number(last ?? first)]);
  }
  return ranges;
}
