import { toTimestamp } from '@holdfast/base';
export interface HistoryChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed';
  /** The old path of a renamed file. */
  readonly from: string | null;
}

export interface HistoryEntry {
  readonly sha: string;
  readonly author: string;
  readonly email: string;
  /** UTC */
  readonly at: string;
  readonly subject: string;
  /** Events in this commit; none if it was made by hand. */
  readonly event_ids: readonly number[];
  readonly changes: readonly HistoryChange[];
}

/** Control characters as delimiters: git removes them from commit headers. */
const COMMIT = '\u0001';
const CHANGES = '\u0002';

export const LOG_FORMAT = '%x01%H%x00%an%x00%ae%x00%at%x00%B%x02';

/** Parses `git log -z --name-status` with the format above. Paths are relative to the notebook; others are left out. */
export function parseLog(output: string, prefix: string): HistoryEntry[] {
  return output
    .split(COMMIT)
    .slice(1)
    .map((record) => parseEntry(record, prefix));
}

function parseEntry(record: string, prefix: string): HistoryEntry {
  const end = record.lastIndexOf(CHANGES);
  const [sha = '', author = '', email = '', seconds = '', ...message] = record.slice(0, end).split('\0');
  const text = message.join('\0');
  return {
    sha,
    author,
    email,
    at: toTimestamp(Number(seconds) * 1_000),
    subject: text.split('\n')[0] ?? '',
    event_ids: readTrailers(text).eventIds,
    changes: parseChanges(record.slice(end + 1), prefix),
  };
}

export function parseChanges(text: string, prefix: string): HistoryChange[] {
  const fields = text.split('\0').filter((field) => field !== '' && field !== '\n');
  const changes: HistoryChange[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const letter = (fields[at] ?? '').trim()[0];
    if (letter === 'R' || letter === 'C') {
      const [from = '', path = ''] = [fields[at + 1], fields[at + 2]];
      at += 2;
      if (path.startsWith(prefix)) changes.push(renamed(path, from, prefix, letter === 'C'));
    } else {
      const path = fields[at + 1] ?? '';
      at += 1;
      const change = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
      if (path.startsWith(prefix)) changes.push({ path: path.slice(prefix.length), change, from: null });
    }
  }
  return changes;
}

/** A file that was renamed from outside of the notebook counts as added. */
function renamed(path: string, from: string, prefix: string, isCopy: boolean): HistoryChange {
  const inside = path.slice(prefix.length);
  return from.startsWith(prefix) && !isCopy
    ? { path: inside, change: 'renamed', from: from.slice(prefix.length) }
    : { path: inside, change: 'added', from: null };
}

export const EVENT_TRAILER = 'Codex-Event';
export const BATCH_TRAILER = 'Codex-Batch';

export interface Trailers {
  readonly batchId: string | undefined;
  readonly eventIds: readonly number[];
}

/** Reads trailers from the last paragraph only, so that a path in the message cannot add any. */
export function readTrailers(message: string): Trailers {
  const paragraph = message.trimEnd().split('\n\n').at(-1) ?? '';
  let batchId: string | undefined;
  const eventIds: number[] = [];
  for (const line of paragraph.split('\n')) {
    const [, key, value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    if (key === BATCH_TRAILER) batchId = value.trim();
    if (key === EVENT_TRAILER) eventIds.push(...value.split(' ').map(Number).filter(Number.isSafeInteger));
  }
  return { batchId, eventIds };
}
