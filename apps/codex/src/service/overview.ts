import { basename, join } from 'node:path';

import { titleScore } from '@holdfast/base';
import type {
  ActivityItem,
  AttentionItem,
  Demo,
  Caller,
  FindRequest,
  FoundItem,
  OpenedOverview,
  Overview,
} from '@holdfast/operation';

import type { FileEvent } from '../model/event.ts';
import { settingsFrom } from '../model/settings.ts';
import type { FileRecord } from '../model/notebook.ts';
import { lastChange, listEvents } from '../store/events.ts';
import { conflictCopies, fileById } from '../store/files.ts';
import { findNotebook } from '../store/notebooks.ts';
import type { Transaction } from '../store/open.ts';
import { Codex } from './codex.ts';
import { addNotebook, removeNotebook } from './notebooks.ts';
import { knownProblems } from './problems.ts';
import { searchNotebooks } from './search.ts';

export async function openOverview(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedOverview> {
  const databasePath = join(home, 'codex.db');
  const codex = await Codex.open({ home, databasePath, settings: settingsFrom(env), processIsEnding: true });
  return { ...overview(codex), close: () => codex.close() };
}

/** Adds notebooks to the pages and commands that cover all applications. */
export function overview(codex: Codex): Overview {
  const copies = new ConflictCopies();
  return {
    find: (request, caller) => findNotes(codex, request, caller),
    inbox: () => Promise.resolve(attention(codex.store.reader, copies)),
    activity: (limit) => Promise.resolve(activity(codex.store.reader, limit)),
    demo: demo(codex),
    describe: (path) => Promise.resolve(describeNote(codex.store.reader, path)),
  };
}

function demo(codex: Codex): Demo {
  return {
    async create(folder, caller) {
      const { id } = await addNotebook(codex, { name: 'Demo notebook', path: folder }, caller);
      return String(id);
    },
    async remove(created) {
      const notebook = findNotebook(codex.store.reader, Number(created));
      if (notebook !== undefined) await removeNotebook(codex, { notebook: notebook.name });
    },
  };
}

const verbs: Readonly<Record<FileEvent['event_type'], string>> = {
  create: 'created',
  update: 'edited',
  move: 'moved',
  delete: 'deleted',
  sync: 'changed outside Holdfast:',
  batch_commit: 'committed',
};

function activity(tx: Transaction, limit: number): readonly ActivityItem[] {
  return listEvents(tx, { limit })
    .filter(({ status }) => status === 'completed' || status === 'superseded')
    .map((event): ActivityItem => {
      const { notebook_id: notebook, event_type: type, file_id: file, author, path, dest_path } = event;
      const isAutomatic = type === 'sync' || type === 'batch_commit';
      const isThere = file !== null && fileById(tx, file) !== undefined;
      return {
        app: 'codex',
        at: event.created_at,
        who: isAutomatic ? null : author,
        is_automatic: isAutomatic,
        text: verbs[type],
        title: dest_path ?? path ?? 'changes',
        path: isThere ? notePath(notebook, file) : `/notebooks/${notebook}`,
      };
    });
}

function notePath(notebook: number, file: string): string {
  return `/notebooks/${notebook}/files/${encodeURIComponent(file)}`;
}

function describeNote(tx: Transaction, path: string): FoundItem | undefined {
  const id = /^\/notebooks\/\d+\/files\/([^/?#]+)/u.exec(path)?.[1];
  const file = id === undefined ? undefined : fileById(tx, decodeURIComponent(id));
  if (file === undefined) return undefined;
  return {
    app: 'codex',
    kind: 'note',
    id: file.id,
    title: file.title ?? basename(file.path),
    detail: file.path,
    state: null,
    path: notePath(file.notebook_id, file.id),
    at: file.updated_at,
    score: 0,
  };
}

/**
 * The conflict copies of all notebooks. Finding them reads the whole index, so the search is repeated only after a
 * change.
 */
class ConflictCopies {
  #change = -1;
  #copies: readonly FileRecord[] = [];

  list(tx: Transaction): readonly FileRecord[] {
    const last = lastChange(tx);
    if (last !== this.#change) this.#copies = conflictCopies(tx, LISTED_MAX);
    this.#change = last;
    return this.#copies;
  }
}

const LISTED_MAX = 200;

/** Conflict copies, failed operations, and problems that affect whole notebooks. */
function attention(tx: Transaction, copiesOf: ConflictCopies): readonly AttentionItem[] {
  const nameOf = (notebook: number): string => findNotebook(tx, notebook)?.name ?? String(notebook);
  const api = '/api/codex';
  const copies = copiesOf.list(tx).map(({ id, notebook_id: notebook, path, created_at: since }) => {
    const request = { method: 'DELETE', path: `${api}/notebooks/${notebook}/files/${id}`, body: null } as const;
    return {
      app: 'codex',
      kind: 'conflict',
      id,
      title: `Two versions of a file: ${path}`,
      detail: `In ${nameOf(notebook)}. Copy what you need into the other version, then delete this one.`,
      since,
      path: `/notebooks/${notebook}/files/${id}`,
      actions: [{ label: 'Move copy to trash', ...request, undo: null }],
    };
  });
  const failed = listEvents(tx, { status: 'failed', limit: LISTED_MAX }).map((event) => {
    const request = (label: string, step: string) =>
      ({ label, method: 'POST', path: `${api}/events/${event.id}/${step}`, body: {}, undo: null }) as const;
    return {
      app: 'codex',
      kind: 'failed',
      id: String(event.id),
      title: `A file operation failed: ${event.path ?? `number ${event.id}`}`,
      detail: event.error_message,
      since: event.created_at,
      path: `/queue?status=failed`,
      actions: [request('Try again', 'retry'), request('Discard', 'discard')],
    };
  });
  const problems = knownProblems(tx).map(({ notebook_id: notebook, source, message, since }) => ({
    app: 'codex',
    kind: 'problem',
    id: `${notebook}/${source}`,
    title: `Notebook ${nameOf(notebook)} has a problem`,
    detail: message,
    since,
    path: `/notebooks/${notebook}`,
    actions: [],
  }));
  return [...copies, ...problems, ...failed];
}

async function findNotes(codex: Codex, request: FindRequest, caller: Caller): Promise<readonly FoundItem[]> {
  // A word with punctuation, such as a path, becomes a phrase in the full-text search.
  const query = request.words.map((word) => (word.includes('/') ? `"${word.replaceAll('"', '')}"` : word)).join(' ');
  const conditions = { tags: [], properties: [], limit: request.limit };
  const { data } = await searchNotebooks(codex, { query, ...conditions }, caller);
  const words = request.words.map((word) => word.toLowerCase());
  return data.map(({ file, notebook, snippet }) => {
    const title = file.title ?? file.filename;
    return {
      app: 'codex',
      kind: 'note',
      id: file.id,
      title,
      detail: `${notebook}: ${snippet.map(({ text }) => text).join('')}`,
      state: null,
      path: notePath(file.notebook_id, file.id),
      at: file.updated_at,
      score: titleScore(title.toLowerCase(), words),
    };
  });
}
