import { mergeState } from './attempt-runs.ts';
import { insertRow, type Tx, updateRow } from './open.ts';

export interface StoredPullRequest {
  readonly task_id: string;
  readonly repository: string;
  readonly branch: string;
  readonly pushed_commit: string;
  readonly number: number | null;
  readonly url: string | null;
  readonly state: 'pushed' | 'open' | 'closed' | 'merged';
  readonly merge_commit: string | null;
  /** JSON array of comment ids. */
  readonly feedback: string;
}

export function pullRequestOf(tx: Tx, task: string): StoredPullRequest | undefined {
  return tx.get<StoredPullRequest>('SELECT * FROM pull_requests WHERE task_id = ?', task);
}

/** Pull requests that are open, or that are merged on GitHub but not yet in the local branch. */
export function pullRequestsToSync(tx: Tx): StoredPullRequest[] {
  return tx.all<StoredPullRequest>(
    `SELECT p.* FROM pull_requests p JOIN tasks t ON t.id = p.task_id
     WHERE p.number IS NOT NULL AND (p.state = 'open' OR (p.state = 'merged' AND ${mergeState('t')} <> 'merged'))
     ORDER BY p.task_id`,
  );
}

type Pushed = Pick<StoredPullRequest, 'task_id' | 'repository' | 'branch' | 'pushed_commit'>;

/** Stores a push. Keeps the pull request of an earlier push. */
export function putPush(tx: Tx, pushed: Pushed): void {
  const updates = 'repository = excluded.repository, branch = excluded.branch, pushed_commit = excluded.pushed_commit';
  insertRow(tx, 'pull_requests', { ...pushed, state: 'pushed' }, `ON CONFLICT (task_id) DO UPDATE SET ${updates}`);
}

export function updatePullRequest(tx: Tx, task: string, changes: Partial<StoredPullRequest>): void {
  updateRow(tx, 'pull_requests', { task_id: task }, changes);
}
