import type { CodexEvent } from '../../api/types.ts';
import { isForHistory } from '../../api/codex-queries.ts';

export interface Mark {
  readonly kind: 'waiting' | 'uncommitted' | 'failed' | 'untracked';
  readonly says: string;
}

export function marksOf(events: readonly CodexEvent[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  const decided = new Set<string>();
  for (const event of events.toSorted((left, right) => right.id - left.id)) {
    const path = event.dest_path ?? event.path;
    if (path === null || event.event_type === 'batch_commit' || decided.has(path)) continue;
    const mark = markOf(event);
    if (mark === 'older') continue;
    decided.add(path);
    if (mark !== undefined) marks.set(path, mark);
  }
  return marks;
}

/** Returns `older` if the operation does not affect the file, so that an earlier operation determines the mark. */
function markOf(event: CodexEvent): Mark | undefined | 'older' {
  const { status, error_message: error, commit_sha: commit } = event;
  switch (status) {
    case 'pending':
    case 'processing':
      return { kind: 'waiting', says: 'Unsaved change' };
    case 'failed':
      return { kind: 'failed', says: `Could not save a change: ${error ?? 'unknown reason'}` };
    case 'completed':
      if (commit !== null) return undefined;
      return isForHistory(event) ? { kind: 'uncommitted', says: 'Saved, not committed yet' } : 'older';
    case 'superseded':
    case 'cancelled':
    case 'skipped':
    case 'discarded':
    default:
      return 'older';
  }
}

export function untracked({ git_reason: reason }: { readonly git_reason: string | null }): Mark | undefined {
  return reason === null ? undefined : { kind: 'untracked', says: `Not in the history: ${reason}` };
}
