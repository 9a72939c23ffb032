import { BATCH_TRAILER, EVENT_TRAILER } from '../model/git/log.ts';
import type { PlannedChange } from './plan-batch.ts';

const LISTED_PATHS_MAX = 20;
const PATH_LENGTH_MAX = 120;
/** Event numbers per trailer line: a line of a thousand numbers is unreadable, and some tools cut long lines. */
const IDS_PER_LINE = 100;

export interface MessageInput {
  readonly changes: readonly PlannedChange[];
  readonly eventIds: readonly number[];
  /** Names the batch, see batch-id.ts. */
  readonly batchId: string;
  /** Message given by the caller. */
  readonly words?: string | undefined;
}

/**
 * The message of a commit: a subject or the caller's message, the first paths, and trailers with the events. The
 * trailers identify a commit that was made but not recorded.
 */
export function commitMessage({ changes, eventIds, batchId, words = '' }: MessageInput): string {
  const said = plainText(words);
  const lines = [said === '' ? subject(changes) : said, ''];
  for (const change of changes.slice(0, LISTED_PATHS_MAX)) lines.push(`${letter(change)} ${shown(change.path)}`);
  if (changes.length > LISTED_PATHS_MAX) lines.push(`… and ${changes.length - LISTED_PATHS_MAX} more`);
  lines.push('');
  lines.push(`${BATCH_TRAILER}: ${batchId}`);
  const sorted = [...new Set(eventIds)].sort((left, right) => left - right);
  for (let at = 0; at < sorted.length; at += IDS_PER_LINE) {
    lines.push(`${EVENT_TRAILER}: ${sorted.slice(at, at + IDS_PER_LINE).join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Subjects as in the design document. */
function subject(changes: readonly PlannedChange[]): string {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) return `Update ${shown(only.path)}`;
  return `Batch update: ${changes.length} files`;
}

/** Removes control characters, which delimit the fields when the history is read. */
function plainText(words: string): string {
  const text = words.replaceAll(/\r\n?/g, '\n');
  // oxlint-disable-next-line no-control-regex -- removes control characters
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ').trim();
}

function letter(change: PlannedChange): string {
  if (change.kind === 'delete') return 'D';
  return change.before === undefined ? 'A' : 'M';
}

/** A path on one line. */
function shown(path: string): string {
  // oxlint-disable-next-line no-control-regex -- removes control characters
  const oneLine = path.replaceAll(/[\u0000-\u001f\u007f]/g, '�');
  return oneLine.length <= PATH_LENGTH_MAX ? oneLine : `…${oneLine.slice(-PATH_LENGTH_MAX)}`;
}
