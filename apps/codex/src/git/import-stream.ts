import { BATCH_TRAILER, codexIdentity, EVENT_TRAILER, formatIdentity, type PendingRow } from '../model/git.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import type { PlannedChange, PlannedCommit } from './plan-batch.ts';

interface ImportInput {
  readonly branch: string;
  /** The commit to build on; undefined if the repository has no commit yet. */
  readonly tip: string | undefined;
  readonly commits: readonly PlannedCommit[];
  /** Path of the notebook in its repository: empty, or ending in a slash. */
  readonly prefix: string;
  readonly batchId: string;
  readonly words: string | undefined;
  /** Seconds since 1970. */
  readonly now: number;
  /** Returns the content of a row, as git stores it. */
  readonly contentOf: (row: PendingRow) => Promise<Uint8Array>;
}

/** Small writes are joined up to this size, because a thousand small writes to a pipe are slow. */
const CHUNK_BYTES = 65_536;

/**
 * Yields the input of `git fast-import`. Refers to content that is already in the repository by its id, so moving a
 * folder sends no content. Deletions come before writes, so that a folder can replace a file in one commit. Requests
 * the commit ids at the end.
 */
export async function* importStream(input: ImportInput): AsyncGenerator<Uint8Array> {
  const writer = new Chunks();
  const yielder = new EventLoopYielder();
  const { branch, tip, commits, prefix } = input;
  writer.text('feature done\n');
  for (const [index, commit] of commits.entries()) {
    const time = `${Math.floor(input.now)} +0000`;
    const message = Buffer.from(commitMessage({ ...commit, batchId: input.batchId, words: input.words }));
    writer.text(`commit ${branch}\nmark :${index + 1}\n`);
    writer.text(`author ${formatIdentity(commit.author)} ${time}\n`);
    writer.text(`committer ${formatIdentity(codexIdentity)} ${time}\n`);
    writer.text(`data ${message.length}\n`);
    writer.bytes(message);
    writer.text('\n');
    if (index === 0 && tip !== undefined) writer.text(`from ${tip}\n`);
    for (const change of commit.changes) {
      if (change.kind === 'delete') writer.text(`D ${quotePath(prefix + change.path)}\n`);
    }
    for (const change of commit.changes) {
      if (change.kind !== 'write') continue;
      const path = quotePath(prefix + change.path);
      if (change.source === undefined) writer.text(`M ${change.after.mode} ${change.after.oid} ${path}\n`);
      else {
        const content = await input.contentOf(change.source);
        writer.text(`M ${change.after.mode} inline ${path}\ndata ${content.length}\n`);
        writer.bytes(content);
        writer.text('\n');
      }
      await yielder.pause();
      if (writer.length >= CHUNK_BYTES) yield writer.take();
    }
  }
  for (const index of commits.keys()) writer.text(`get-mark :${index + 1}\n`);
  writer.text('done\n');
  yield writer.take();
}

class Chunks {
  #parts: Uint8Array[] = [];
  #text = '';
  length = 0;

  text(text: string): void {
    this.#text += text;
    this.length += text.length;
  }

  bytes(bytes: Uint8Array): void {
    this.#flushText();
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  take(): Uint8Array {
    this.#flushText();
    const taken = Buffer.concat(this.#parts);
    this.#parts = [];
    this.length = 0;
    return taken;
  }

  #flushText(): void {
    if (this.#text === '') return;
    this.#parts.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/**
 * Quotes a path for `git fast-import`. Bytes outside printable ASCII become octal escapes, so that newlines, quotes,
 * backslashes and any Unicode character survive.
 */
export function quotePath(path: string): string {
  if (SIMPLE.test(path)) return `"${path}"`;
  let quoted = '"';
  for (const byte of new TextEncoder().encode(path)) {
    if (byte === QUOTE || byte === BACKSLASH) quoted += `\\${String.fromCharCode(byte)}`;
    else if (byte < SPACE || byte >= DELETE) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

const SIMPLE = /^[\w ./()+,=@-]*$/;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

const LISTED_PATHS_MAX = 20;
const PATH_LENGTH_MAX = 120;
/** Maximum number of event ids per trailer line. It is limited because some tools cut long lines. */
const IDS_PER_LINE = 100;

interface MessageInput {
  readonly changes: readonly PlannedChange[];
  readonly eventIds: readonly number[];
  /** Names the batch, see `batchIdOf`. */
  readonly batchId: string;
  readonly words?: string | undefined;
}

/**
 * Returns a commit message: the caller's message or a generated subject, the first paths, and trailers with the events.
 * After a crash, the trailers identify a commit that was made but not recorded.
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

/** Returns the commit subject, worded as in codex's design document. */
function subject(changes: readonly PlannedChange[]): string {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) return `Update ${shown(only.path)}`;
  return `Batch update: ${changes.length} files`;
}

/** Removes control characters, because `parseLog` reads some of them as delimiters. */
function plainText(words: string): string {
  const text = words.replaceAll(/\r\n?/g, '\n');
  // oxlint-disable-next-line no-control-regex -- removes control characters
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ').trim();
}

function letter(change: PlannedChange): string {
  if (change.kind === 'delete') return 'D';
  return change.before === undefined ? 'A' : 'M';
}

function shown(path: string): string {
  // oxlint-disable-next-line no-control-regex -- removes control characters
  const oneLine = path.replaceAll(/[\u0000-\u001f\u007f]/g, '�');
  return oneLine.length <= PATH_LENGTH_MAX ? oneLine : `…${oneLine.slice(-PATH_LENGTH_MAX)}`;
}
