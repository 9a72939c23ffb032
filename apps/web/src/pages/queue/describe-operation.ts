import type { CodexEvent } from '../../api/types.ts';
import { isForHistory } from '../../api/codex-queries.ts';
import type { Tone } from '../../ui/badge.tsx';

/** Author of changes by other programs. */
const OTHER_PROGRAM = 'external';

export function authorOf(author: string): string {
  return author === OTHER_PROGRAM ? 'another program' : author;
}

/** The operation in the imperative, without a full stop. */
export function describeOperation({ event_type: type, path, dest_path: to, operation }: CodexEvent): string {
  const what = operation['kind'] === 'folder' ? `the folder ${path ?? ''}` : (path ?? '');
  switch (type) {
    case 'create':
      return operation['undo_of'] === undefined ? `Create ${what}` : `Bring back ${what}`;
    case 'update':
      return operation['staged'] === undefined ? `Change what is said about ${what}` : `Change ${what}`;
    case 'move':
      return `Move ${what} to ${to ?? ''}`;
    case 'delete':
      return `Delete ${what}`;
    case 'sync':
      return `Look at ${what}, which another program ${touched(operation['event'])}`;
    case 'batch_commit':
    default:
      return 'Commit everything so far';
  }
}

function touched(event: unknown): string {
  const words: Readonly<Record<string, string>> = { created: 'made', deleted: 'deleted', moved: 'moved' };
  return words[String(event)] ?? 'may have changed';
}

export const statusLooks: Readonly<
  Record<CodexEvent['status'], { readonly tone: Tone; readonly word: string; readonly says: string }>
> = {
  pending: { tone: 'open', word: 'Waiting', says: 'It is stored and has its turn soon.' },
  processing: { tone: 'busy', word: 'Being done', says: 'It is worked on now.' },
  completed: { tone: 'good', word: 'Done', says: 'The file is as it was asked for.' },
  failed: { tone: 'bad', word: 'Failed', says: 'It could not be done. Nothing else was changed.' },
  superseded: { tone: 'neutral', word: 'Merged', says: 'A later change of the same file includes it.' },
  cancelled: { tone: 'cancelled', word: 'Taken back', says: 'Somebody took it back before it began.' },
  skipped: { tone: 'cancelled', word: 'Skipped', says: 'An earlier operation of its batch failed.' },
  discarded: { tone: 'neutral', word: 'Given up', says: 'It had failed, was looked at and given up.' },
};

const advice: Readonly<Record<string, string>> = {
  FILE_EXISTS: 'Something lies at that path. Move it away and try again, or give this up.',
  NAME_COLLIDES: 'Another name differs only in case. Rename one of them, then try again.',
  FILE_NOT_FOUND: 'The file is gone. Bring it back from the trash and try again, or give this up.',
  FILE_CHANGED: 'Somebody else changed the file first. Look at it, write your change again, and give this one up.',
  PATH_LINK: 'A link stands on the way. Replace it by what it points to, then try again.',
  MOVE_INTO_ITSELF: 'A folder cannot be moved into itself. Give this up.',
};

/** How to resolve a failure. */
export function adviceFor({ error_code: code }: CodexEvent): string {
  return advice[code ?? ''] ?? 'Try again once the reason is gone, or give it up.';
}

export interface Step {
  readonly name: string;
  readonly at: string | null;
  readonly state: 'done' | 'now' | 'later' | 'failed' | 'never';
  readonly says: string;
}

/** Steps of an operation: done, pending or skipped. */
export function stepsOf(event: CodexEvent): readonly Step[] {
  const queued: Step = { name: 'Queued', at: event.created_at, state: 'done', says: askedBy(event) };
  return [queued, claimed(event), applied(event), recorded(event), committed(event)];
}

function isEnded({ status }: CodexEvent): boolean {
  return status !== 'pending' && status !== 'processing';
}

/** State of a step that was not reached. */
function notReached(event: CodexEvent): 'never' | 'later' {
  return isEnded(event) && event.status !== 'completed' ? 'never' : 'later';
}

function claimed(event: CodexEvent): Step {
  const { status, started_at: at } = event;
  if (at !== null) {
    return { name: 'Claimed', at, state: 'done', says: 'What will be done is written down before it is done.' };
  }
  return { name: 'Claimed', at, state: status === 'pending' ? 'now' : notReached(event), says: waitingFor(event) };
}

function applied(event: CodexEvent): Step {
  const { status, processed_at: ended, error_message: error } = event;
  const step = { name: 'Applied', at: null, says: whatIsApplied(event) };
  if (status === 'completed') return { ...step, at: ended, state: 'done' };
  if (status === 'failed') return { ...step, state: 'failed', says: error ?? 'It failed.' };
  return { ...step, state: status === 'processing' ? 'now' : notReached(event) };
}

function recorded(event: CodexEvent): Step {
  const { status, processed_at: ended } = event;
  if (status === 'completed') return { name: 'Recorded', at: ended, state: 'done', says: resultOf(event) };
  if (!isEnded(event)) return { name: 'Recorded', at: null, state: 'later', says: 'The index knows the new state.' };
  const { word, says } = statusLooks[status];
  return { name: word, at: ended, state: status === 'failed' ? 'failed' : 'done', says };
}

function committed(event: CodexEvent): Step {
  const { status, commit_sha: commit } = event;
  const step = { name: 'Committed', at: null };
  if (commit !== null) return { ...step, state: 'done', says: `In the history as ${commit.slice(0, 8)}.` };
  if (status === 'completed' && !isForHistory(event)) {
    return { ...step, state: 'never', says: 'There was nothing new to commit.' };
  }
  const state = status === 'completed' ? 'now' : notReached(event);
  return { ...step, state, says: 'Collected with other changes for a few seconds.' };
}

function askedBy({ event_type: type, author }: CodexEvent): string {
  return type === 'sync' ? 'The folder was seen to change.' : `Asked for by ${author}, and stored on disk.`;
}

function whatIsApplied({ event_type: type }: CodexEvent): string {
  if (type === 'sync') return 'The file was looked at; nothing is changed on disk.';
  return type === 'batch_commit' ? 'Everything asked for before is done.' : 'The files on disk are changed.';
}

function waitingFor({ retry_count: retries, run_at: next, error_message: error }: CodexEvent): string {
  if (retries === 0) return 'It waits for its turn.';
  const again = next === null ? '' : `, next at ${next.slice(11, 19)} UTC`;
  return `Tried ${retries} ${retries === 1 ? 'time' : 'times'} so far${again}. ${error ?? ''}`;
}

function resultOf({ result }: CodexEvent): string {
  const conflict = result?.['conflict_path'];
  if (typeof conflict === 'string') return `Somebody else had changed the file; their version is kept as ${conflict}.`;
  return result?.['unchanged'] === true ? 'Everything was as wanted already.' : 'The index knows the new state.';
}
