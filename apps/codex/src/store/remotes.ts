import { codexErrors } from '../model/errors.ts';
import type { RemoteRow } from '../model/remote.ts';
import { lastCommit } from './git.ts';
import type { Transaction } from './open.ts';
import { all, get, insert, insertReturning, run } from './sql.ts';

export type NewRemote = Pick<
  RemoteRow,
  'notebook_id' | 'name' | 'url' | 'branch' | 'allows_path' | 'key_file' | 'token' | 'created_at'
>;

export function insertRemote(tx: Transaction, remote: NewRemote): RemoteRow {
  if (findRemote(tx, remote.notebook_id, remote.name) !== undefined) {
    throw codexErrors.REMOTE_EXISTS(`The notebook already has a remote named ${remote.name}`);
  }
  return insertReturning<RemoteRow>(tx, 'remotes', { ...remote });
}

export function listRemotes(tx: Transaction, notebookId: number): RemoteRow[] {
  return all<RemoteRow>(tx)`SELECT * FROM remotes WHERE notebook_id = ${notebookId} ORDER BY id`;
}

export function allRemotes(tx: Transaction): RemoteRow[] {
  return tx.all<RemoteRow>('SELECT * FROM remotes ORDER BY id');
}

function findRemote(tx: Transaction, notebookId: number, name: string): RemoteRow | undefined {
  return get<RemoteRow>(tx)`SELECT * FROM remotes WHERE notebook_id = ${notebookId} AND name = ${name}`;
}

export function namedRemote(tx: Transaction, notebookId: number, name: string): RemoteRow {
  const found = findRemote(tx, notebookId, name);
  if (found === undefined) throw codexErrors.REMOTE_NOT_FOUND(`There is no remote ${JSON.stringify(name)}`);
  return found;
}

export function deleteRemote(tx: Transaction, id: number): void {
  run(tx)`DELETE FROM remotes WHERE id = ${id}`;
}

export function setTip(tx: Transaction, id: number, tip: string | null): void {
  run(tx)`UPDATE remotes SET tip = ${tip} WHERE id = ${id}`;
}

export function setSynced(tx: Transaction, id: number, tip: string, at: string): void {
  run(tx)`UPDATE remotes SET tip = ${tip}, tried_at = ${at}, synced_at = ${at}, failures = 0, error_code = NULL,
    error_message = NULL WHERE id = ${id}`;
}

export function setFailed(tx: Transaction, id: number, code: string, message: string, at: string): void {
  run(tx)`UPDATE remotes SET tried_at = ${at}, failures = failures + 1, error_code = ${code},
    error_message = ${message} WHERE id = ${id}`;
}

export function setSkipped(tx: Transaction, id: number, skipped: string): void {
  run(tx)`UPDATE remotes SET skipped = ${skipped} WHERE id = ${id}`;
}

export interface MergeRow {
  readonly notebook_id: number;
  readonly remote: string;
  readonly branch: string;
  readonly ours: string | null;
  readonly merged: string;
  readonly is_recorded: number;
}

export interface ChangeRow {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly mode: string;
}

export function findMerge(tx: Transaction, notebookId: number): MergeRow | undefined {
  return get<MergeRow>(tx)`SELECT * FROM remote_merges WHERE notebook_id = ${notebookId}`;
}

export function insertMerge(tx: Transaction, merge: MergeRow, changes: readonly ChangeRow[]): void {
  dropMerge(tx, merge.notebook_id);
  insert(tx, 'remote_merges', { ...merge });
  for (const change of changes) insert(tx, 'remote_changes', { notebook_id: merge.notebook_id, ...change });
}

export function dropMerge(tx: Transaction, notebookId: number): void {
  run(tx)`DELETE FROM remote_changes WHERE notebook_id = ${notebookId}`;
  run(tx)`DELETE FROM remote_merges WHERE notebook_id = ${notebookId}`;
}

/** Records the merged commit as the notebook's last commit: everything up to this commit counts as seen. */
export function recordMerge(
  tx: Transaction,
  { notebook_id, branch, merged }: MergeRow,
  author: string,
  at: string,
): void {
  const last = get<{ row: number; event: number }>(tx)`SELECT coalesce(max(last_pending_id), 0) AS row,
    coalesce(max(last_event_id), 0) AS event FROM git_commits WHERE notebook_id = ${notebook_id}`;
  run(tx)`INSERT INTO git_commits (notebook_id, sha, parent_sha, branch, author, path_count, last_pending_id,
    last_event_id, committed_at) VALUES (${notebook_id}, ${merged}, ${lastCommit(tx, notebook_id)?.sha ?? null},
    ${branch}, ${author}, 0, ${last?.row ?? 0}, ${last?.event ?? 0}, ${at}) ON CONFLICT DO NOTHING`;
  run(tx)`UPDATE remote_merges SET is_recorded = 1 WHERE notebook_id = ${notebook_id}`;
}

/** Returns changes that the folder still lacks, in order of path: either the deletions or all other changes. */
export function remainingChanges(
  tx: Transaction,
  notebookId: number,
  kind: 'deletions' | 'writes',
  after: string,
  limit: number,
): ChangeRow[] {
  return all<ChangeRow>(tx)`SELECT path, before, after, mode FROM remote_changes WHERE notebook_id = ${notebookId}
    AND (after IS NULL) = ${kind === 'deletions' ? 1 : 0} AND path > ${after} ORDER BY path LIMIT ${limit}`;
}

export function dropChanges(tx: Transaction, notebookId: number, paths: readonly string[]): void {
  for (const path of paths) {
    run(tx)`DELETE FROM remote_changes WHERE notebook_id = ${notebookId} AND path = ${path}`;
  }
}

/** Returns the files whose name has a conflict mark. The caller checks the names exactly. */
export function conflictCandidates(tx: Transaction, notebookId: number, limit: number): string[] {
  const rows = all<{ path: string }>(tx)`SELECT path FROM files WHERE notebook_id = ${notebookId}
    AND deleted_by IS NULL AND path LIKE '%.conflict-%' ORDER BY path LIMIT ${limit}`;
  return rows.map(({ path }) => path);
}
