import { toTimestamp } from '@holdfast/base';

import { codexErrors } from './errors.ts';

export interface TreeEntry {
  /** Mode as git writes it: 100644, 100755, 120000 for a symbolic link, 160000 for a submodule, 40000 for a folder. */
  readonly mode: string;
  readonly oid: string;
}

/** The tree of the commit that the next commit builds on. Paths are relative to the notebook. */
export interface TreeReader {
  entry(path: string): Promise<TreeEntry | undefined>;
  filesBelow(folder: string): Promise<readonly (readonly [path: string, entry: TreeEntry])[]>;
}

export const FOLDER_MODE = '40000';
export const FILE_MODE = '100644';
export const EXECUTABLE_MODE = '100755';

/** Parses a tree object: repeated `mode SP name NUL oid`, with the oid in raw bytes. */
export function parseTree(bytes: Uint8Array, oidBytes: number): ReadonlyMap<string, TreeEntry> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, TreeEntry>();
  let at = 0;
  while (at < buffer.length) {
    const space = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, space);
    if (space < 0 || end < 0) throw codexErrors.GIT_UNAVAILABLE('A git tree object ends in the middle of an entry');
    const mode = buffer.toString('latin1', at, space);
    const name = buffer.toString('utf8', space + 1, end);
    at = end + 1 + oidBytes;
    entries.set(name, { mode, oid: buffer.toString('hex', end + 1, at) });
  }
  return entries;
}

/** A row of `git_pending`: one change to the notebook that is not committed yet. */
export interface PendingRow {
  readonly id: number;
  readonly kind: 'write' | 'delete' | 'rename';
  readonly path: string;
  readonly fromPath: string | undefined;
  readonly hash: string | undefined;
  readonly size: number;
  /** Short content; longer content is in `.codex/blobs/` of the notebook. */
  readonly inline: Uint8Array | null;
  readonly isExecutable: boolean;
  readonly eventId: number;
  readonly author: string;
  /** True if another program made the change. */
  readonly isExternal: boolean;
  readonly at: string;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Committer of every commit that codex makes. The author is the person or program that made the change. */
export const codexIdentity: Identity = { name: 'codex', email: 'codex@holdfast.invalid' };

/**
 * Parses the author of an event: `Name <email>`, or only a name. Removes characters that would end a header line in a
 * commit, and those that git itself would strip.
 */
export function parseIdentity(text: string | null | undefined, fallback: Identity = codexIdentity): Identity {
  if (text === null || text === undefined) return fallback;
  const [, before = '', email] = /^([^<]*)(?:<([^>]*)>)?/s.exec(text) ?? [];
  const name = clean(before);
  const address = clean(email ?? '');
  if (name === '' && address === '') return fallback;
  const plainName = name === '' ? address : name;
  return { name: plainName, email: address === '' ? addressFor(plainName) : address };
}

export function formatIdentity({ name, email }: Identity): string {
  return `${name} <${email}>`;
}

/** Returns an address that cannot exist, for authors without an address. */
function addressFor(name: string): string {
  const local = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${local === '' ? 'unknown' : local}@codex.invalid`;
}

function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- removes control characters
  return text.replaceAll(/[\u0000-\u001f\u007f<>]+/g, ' ').replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
}

/** Attributes from `.gitattributes` that change how a file is stored. */
export interface Attributes {
  readonly text: string;
  readonly eol: string;
  readonly filter: string;
  readonly ident: string;
  readonly encoding: string;
}

/** Order of the attributes in the request to git. */
export const ATTRIBUTES = ['text', 'eol', 'filter', 'ident', 'working-tree-encoding'] as const;

/** Returns the user's filter program for this file, such as Git LFS; undefined if there is none. */
export function filterOf({ filter }: Attributes): string | undefined {
  return isSet(filter) ? filter : undefined;
}

/**
 * Returns whether git may store bytes that differ from the file. Whether it does depends on the content, see
 * `isConverted`.
 */
export function mayConvert({ text, eol, ident, encoding }: Attributes, isAutoCrlf: boolean): boolean {
  return [text, eol, ident, encoding].some(isSet) || (text === 'unspecified' && isAutoCrlf);
}

/**
 * Returns whether git stores bytes that differ from the file's bytes. Decides this without git, so that git has to run
 * only for the few files that it converts.
 */
export function isConverted(attributes: Attributes, bytes: Uint8Array, isAutoCrlf: boolean): boolean {
  if (isSet(attributes.encoding)) return true;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isSet(attributes.ident) && content.includes('$Id')) return true;
  const hasLineEnds =
    isSet(attributes.text) || isSet(attributes.eol) || (attributes.text === 'unspecified' && isAutoCrlf);
  return hasLineEnds && content.includes('\r\n');
}

function isSet(value: string): boolean {
  return value !== 'unspecified' && value !== 'unset';
}

export interface HistoryChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly from: string | null;
}

export interface HistoryEntry {
  readonly sha: string;
  readonly author: string;
  readonly email: string;
  /** UTC */
  readonly at: string;
  readonly subject: string;
  /** Ids of the events in this commit; empty if codex did not make the commit. */
  readonly event_ids: readonly number[];
  readonly changes: readonly HistoryChange[];
}

/** Control characters as delimiters, because names and messages hardly ever contain them. */
const COMMIT = '\u0001';
const CHANGES = '\u0002';

export const LOG_FORMAT = '%x01%H%x00%an%x00%ae%x00%at%x00%B%x02';

/** Parses `git log -z --name-status` with the format above. Skips paths outside the notebook. */
export function parseLog(output: string, prefix: string): HistoryEntry[] {
  return output
    .split(COMMIT)
    .slice(1)
    .map((record) => parseEntry(record, prefix));
}

/** The last time that a Date can hold, in milliseconds. git stores any 64-bit number, so a commit can claim a later time. */
const LAST_TIME = 8.64e15;

function timeOf(seconds: string): number {
  const ms = Number(seconds) * 1_000;
  return Number.isFinite(ms) ? Math.max(-LAST_TIME, Math.min(ms, LAST_TIME)) : 0;
}

function parseEntry(record: string, prefix: string): HistoryEntry {
  const end = record.lastIndexOf(CHANGES);
  const [sha = '', author = '', email = '', seconds = '', ...message] = record.slice(0, end).split('\0');
  const text = message.join('\0');
  return {
    sha,
    author,
    email,
    at: toTimestamp(timeOf(seconds)),
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

/** A file that was moved into the notebook from outside counts as added. */
function renamed(path: string, from: string, prefix: string, isCopy: boolean): HistoryChange {
  const inside = path.slice(prefix.length);
  return from.startsWith(prefix) && !isCopy
    ? { path: inside, change: 'renamed', from: from.slice(prefix.length) }
    : { path: inside, change: 'added', from: null };
}

export const EVENT_TRAILER = 'Codex-Event';
export const BATCH_TRAILER = 'Codex-Batch';

interface Trailers {
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
