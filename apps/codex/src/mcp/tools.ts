import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';
import type { OutputOf } from '@holdfast/operation';

import { listFiles, moveFile, readFile, writeFile } from '../operations/files.ts';
import { listHistory, showCommit } from '../operations/history.ts';
import { listNotebooks } from '../operations/notebooks.ts';
import { search } from '../operations/notes.ts';
import { listRemotes, type RemoteView, syncNotebook } from '../operations/remotes.ts';
import { commitNow, waitForEvent } from '../operations/queue.ts';
import type { Queued, Written } from '../operations/fields.ts';
import type { Codex } from '../service/codex.ts';

const CHARACTERS_MAX = 100_000;
const WAIT_SECONDS = 60;
const CHANGES_SHOWN = 20;

export const server: ServerInfo = {
  name: 'codex',
  version: VERSION,
  instructions:
    'Notebooks are folders of plain files that people also edit. Read before you write: to replace a file, pass ' +
    'the hash of the version that you read. Every change is committed to git automatically; history shows earlier versions.',
};

/** Offers few tools, because every conversation includes their descriptions. */
export function tools(codex: Codex, caller: ToolCaller): readonly Tool[] {
  const tool = toolsFor({ app: codex, caller, program: 'notebooks mcp' });
  return [
    tool(listNotebooks, {
      name: 'notebooks',
      text: ({ data }) =>
        data.length === 0 ? 'No notebooks.' : data.map(({ name, path }) => `${name} (${path})`).join('\n'),
    }),
    tool(listFiles, { name: 'list', omit: ['after_event'], text: filesText }),
    tool(readFile, {
      name: 'read',
      description:
        'Read the current version of a text file, or the version at a commit. Returns the hash that write needs to replace the file.',
      fixed: { length: CHARACTERS_MAX },
      text: contentText,
    }),
    tool(writeFile, {
      name: 'write',
      description:
        'Create a text file, or replace one that you have read; base_hash is the hash of the version that you read.',
      omit: ['new', 'overwrite', 'title', 'encoding'],
      fixed: { wait: WAIT_SECONDS },
      text: queuedText,
    }),
    tool(moveFile, { name: 'move', omit: ['base_hash'], fixed: { wait: WAIT_SECONDS }, text: queuedText }),
    tool(search, { name: 'search', omit: ['after_event'], text: hitsText }),
    tool(listHistory, { name: 'history', text: historyText }),
    tool(showCommit, { name: 'show_commit', text: commitText }),
    tool(waitForEvent, { name: 'wait', text: eventText }),
    tool(listRemotes, { name: 'remotes', text: ({ data }) => remotesText(data) }),
    tool(syncNotebook, { name: 'sync', text: syncText }),
    tool(commitNow, {
      name: 'commit',
      text: ({ commit_sha }) => (commit_sha === null ? 'Nothing to commit.' : `commit: ${commit_sha}`),
    }),
  ];
}

function filesText({ data, next_cursor }: OutputOf<typeof listFiles>): string {
  if (data.length === 0) return 'No files.';
  const lines = data.map(({ path, size, updated_at }) => `${path} (${size} bytes, ${updated_at})`);
  return [...lines, ...more(next_cursor)].join('\n');
}

function more(cursor: string | null): readonly string[] {
  return cursor === null ? [] : [`More: call again with cursor: ${cursor}`];
}

function contentText({ path, commit, hash, encoding, content, offset, total }: OutputOf<typeof readFile>): string {
  if (encoding !== 'utf8') return `${path} is not text (hash: ${hash})`;
  const end = offset + content.length;
  const head = commit === null ? `${path}\nhash: ${hash}` : `${path} at ${commit}`;
  const part = offset === 0 && end === total ? '' : `\ncharacters ${offset} to ${end} of ${total}`;
  return `${head}${part}\n\n${content}`;
}

function queuedText({ event_id, status, path, conflict_path, file, file_count }: Written & Queued): string {
  return [
    `event ${event_id}: ${path ?? ''} ${status}`,
    ...(file === undefined ? [] : [`hash: ${file.hash}`]),
    ...(file_count === undefined ? [] : [`files: ${file_count}`]),
    ...(conflict_path === undefined ? [] : [`another program's version is kept as ${conflict_path}`]),
  ].join('\n');
}

function hitsText({ data, next_cursor }: OutputOf<typeof search>): string {
  if (data.length === 0) return 'Nothing found.';
  const isOne = new Set(data.map(({ notebook }) => notebook)).size < 2;
  const lines = data.map(({ notebook, file, snippet }) => {
    const text = snippet.map((part) => part.text).join('');
    return `${isOne ? '' : `${notebook}: `}${file.path}\n  ${text.replaceAll(/\s+/gu, ' ').trim()}`;
  });
  return [...lines, ...more(next_cursor)].join('\n');
}

function historyText({ data, next_cursor }: OutputOf<typeof listHistory>): string {
  if (data.length === 0) return 'Nothing is committed yet.';
  const lines = data.map(({ sha, at, author, subject, changes }) => {
    const paths = changes.map(({ change, path, from }) => `  ${change} ${from === null ? '' : `${from} → `}${path}`);
    return [`${sha.slice(0, 10)} ${at} ${author}: ${subject}`, ...paths.slice(0, CHANGES_SHOWN)].join('\n');
  });
  return [...lines, ...more(next_cursor)].join('\n');
}

function commitText({ sha, at, author, subject, files }: OutputOf<typeof showCommit>): string {
  const diffs = files.map(({ diff, path }) => diff ?? `${path}: too long to show`);
  return `${sha} ${at} ${author}: ${subject}\n\n${diffs.join('\n')}`.slice(0, CHARACTERS_MAX);
}

function remotesText(remotes: readonly RemoteView[]): string {
  if (remotes.length === 0) return 'No remotes.';
  return remotes
    .map(({ name, url, branch, ahead, behind, synced_at, problem }) => {
      const state = `${ahead ?? '?'} ahead, ${behind ?? '?'} behind, last synced ${synced_at ?? 'never'}`;
      return `${name} (${branch} of ${url}): ${state}${problem === null ? '' : `; ${problem.message}`}`;
    })
    .join('\n');
}

function syncText({ remotes, conflicts }: OutputOf<typeof syncNotebook>): string {
  const lines = conflicts.map(({ path, copy }) => `conflict: ${path} has a second version, ${copy}`);
  return [remotesText(remotes), ...lines].join('\n');
}

function eventText(event: OutputOf<typeof waitForEvent>): string {
  const { id, event_type, path, dest_path, status, error_message, commit_sha, timed_out } = event;
  const paths = dest_path === null ? (path ?? '') : `${path ?? ''} → ${dest_path}`;
  return [
    `event ${id}: ${event_type} ${paths} ${status}`,
    ...(error_message === null ? [] : [error_message]),
    ...(commit_sha === null ? [] : [`commit: ${commit_sha}`]),
    ...(timed_out ? ['not finished yet'] : []),
  ].join('\n');
}
