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
 * The message of a commit: what happened in one line or what was said about it, the first paths, and trailers that name the events. The trailers
 * are how a commit is found again that was made but not recorded.
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

/** In the words of the design. */
function subject(changes: readonly PlannedChange[]): string {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) return `Update ${shown(only.path)}`;
  return `Batch update: ${changes.length} files`;
}

/** Lines of text and nothing else: the history is read by marks that are control characters. */
function plainText(words: string): string {
  const text = words.replaceAll(/\r\n?/g, '\n');
  // oxlint-disable-next-line no-control-regex -- control characters are what has to go
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ').trim();
}

function letter(change: PlannedChange): string {
  if (change.kind === 'delete') return 'D';
  return change.before === undefined ? 'A' : 'M';
}

/** A path on one line of a message, whatever is in it. */
function shown(path: string): string {
  // oxlint-disable-next-line no-control-regex -- a path may hold them, a line of a message may not
  const oneLine = path.replaceAll(/[\u0000-\u001f\u007f]/g, '�');
  return oneLine.length <= PATH_LENGTH_MAX ? oneLine : `…${oneLine.slice(-PATH_LENGTH_MAX)}`;
}
