import type { CodexEvent } from '../../api/types.ts';
import { isForHistory } from '../../api/codex-queries.ts';
import type { Tone } from '../../ui/badge.tsx';

const OTHER_PROGRAM = 'external';

export function authorOf(author: string): string {
  return author === OTHER_PROGRAM ? 'Another program' : author;
}

/** Describes the operation in the imperative, without a full stop. */
export function describeOperation({ event_type: type, path, dest_path: to, operation }: CodexEvent): string {
  const what = operation['kind'] === 'folder' ? `the folder ${path ?? ''}` : (path ?? '');
  switch (type) {
    case 'create':
      return operation['undo_of'] === undefined ? `Create ${what}` : `Restore ${what}`;
    case 'update':
      return operation['staged'] === undefined ? `Edit properties of ${what}` : `Edit ${what}`;
    case 'move':
      return `Move ${what} to ${to ?? ''}`;
    case 'delete':
      return `Delete ${what}`;
    case 'sync':
      return `Index ${what} (${touched(operation['event'])} outside Holdfast)`;
    case 'batch_commit':
    default:
      return 'Commit all changes';
  }
}

function touched(event: unknown): string {
  const words: Readonly<Record<string, string>> = { created: 'added', deleted: 'deleted', moved: 'moved' };
  return words[String(event)] ?? 'changed';
}

export const statusBadges: Readonly<
  Record<CodexEvent['status'], { readonly tone: Tone; readonly word: string; readonly says: string }>
> = {
  pending: { tone: 'open', word: 'Queued', says: 'Stored and waiting for its turn.' },
  processing: { tone: 'busy', word: 'Running', says: 'In progress.' },
  completed: { tone: 'good', word: 'Done', says: 'Finished successfully.' },
  failed: { tone: 'bad', word: 'Failed', says: 'Nothing was changed.' },
  superseded: { tone: 'neutral', word: 'Superseded', says: 'Included in a later change to the same file.' },
  cancelled: { tone: 'cancelled', word: 'Cancelled', says: 'Cancelled before it started.' },
  skipped: { tone: 'cancelled', word: 'Skipped', says: 'An earlier operation in the same batch failed.' },
  discarded: { tone: 'neutral', word: 'Discarded', says: 'Failed, then discarded by a user.' },
};

const advice: Readonly<Record<string, string>> = {
  FILE_EXISTS: 'A file already exists at this path. Move it and retry, or discard this operation.',
  NAME_COLLIDES:
    'Another file or folder has the same name, apart from upper and lower case. Rename one of the two, then retry.',
  FILE_NOT_FOUND: 'The file no longer exists. Restore it from the trash and retry, or discard this operation.',
  FILE_CHANGED:
    'The file changed before this operation ran. Review it, make your change again and discard this operation.',
  PATH_LINK: 'The path contains a symbolic link. Replace it with its target, then retry.',
  MOVE_INTO_ITSELF: 'A folder cannot be moved into itself. Discard this operation.',
};

export function adviceFor({ error_code: code }: CodexEvent): string {
  return advice[code ?? ''] ?? 'Fix the cause and retry, or discard the operation.';
}

export interface Step {
  readonly name: string;
  readonly at: string | null;
  readonly state: 'done' | 'now' | 'later' | 'failed' | 'never';
  readonly says: string;
}

export function stepsOf(event: CodexEvent): readonly Step[] {
  const queued: Step = { name: 'Queued', at: event.created_at, state: 'done', says: askedBy(event) };
  return [queued, claimed(event), applied(event), recorded(event), committed(event)];
}

function isEnded({ status }: CodexEvent): boolean {
  return status !== 'pending' && status !== 'processing';
}

function notReached(event: CodexEvent): 'never' | 'later' {
  return isEnded(event) && event.status !== 'completed' ? 'never' : 'later';
}

function claimed(event: CodexEvent): Step {
  const { status, started_at: at } = event;
  if (at !== null) {
    return {
      name: 'Claimed',
      at,
      state: 'done',
      says: 'Holdfast stores the planned change before it changes any file.',
    };
  }
  return { name: 'Claimed', at, state: status === 'pending' ? 'now' : notReached(event), says: waitingFor(event) };
}

function applied(event: CodexEvent): Step {
  const { status, processed_at: ended, error_message: error } = event;
  const step = { name: 'Applied', at: null, says: whatIsApplied(event) };
  if (status === 'completed') return { ...step, at: ended, state: 'done' };
  if (status === 'failed') return { ...step, state: 'failed', says: error ?? 'Failed.' };
  return { ...step, state: status === 'processing' ? 'now' : notReached(event) };
}

function recorded(event: CodexEvent): Step {
  const { status, processed_at: ended } = event;
  if (status === 'completed') return { name: 'Recorded', at: ended, state: 'done', says: resultOf(event) };
  if (!isEnded(event)) return { name: 'Recorded', at: null, state: 'later', says: 'The index is up to date.' };
  const { word, says } = statusBadges[status];
  return { name: word, at: ended, state: status === 'failed' ? 'failed' : 'done', says };
}

function committed(event: CodexEvent): Step {
  const { status, commit_sha: commit } = event;
  const step = { name: 'Committed', at: null };
  if (commit !== null) return { ...step, state: 'done', says: `In the history as ${commit.slice(0, 8)}.` };
  if (status === 'completed' && !isForHistory(event)) {
    return { ...step, state: 'never', says: 'Nothing to commit.' };
  }
  const state = status === 'completed' ? 'now' : notReached(event);
  return { ...step, state, says: 'Holdfast commits changes in batches every few seconds.' };
}

function askedBy({ event_type: type, author }: CodexEvent): string {
  return type === 'sync' ? 'Holdfast detected a change in the folder.' : `Requested by ${author} and stored.`;
}

function whatIsApplied({ event_type: type }: CodexEvent): string {
  if (type === 'sync') return 'The file is indexed; nothing changes on disk.';
  return type === 'batch_commit' ? 'All earlier operations are finished.' : 'Files on disk are changed.';
}

function waitingFor({ retry_count: retries, run_at: next, error_message: error }: CodexEvent): string {
  if (retries === 0) return 'Waiting for its turn.';
  const again = next === null ? '' : `, next retry at ${next.slice(11, 19)} UTC`;
  return `Tried ${retries} ${retries === 1 ? 'time' : 'times'}${again}. ${error ?? ''}`;
}

function resultOf({ result }: CodexEvent): string {
  const conflict = result?.['conflict_path'];
  if (typeof conflict === 'string') return `Another program had changed the file; its version is kept as ${conflict}.`;
  return result?.['unchanged'] === true ? 'No change was needed.' : 'The index is up to date.';
}
