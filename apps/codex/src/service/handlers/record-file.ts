import { contentTypeOf } from '../../model/content-type.ts';
import type { DiskState } from '../../model/intent.ts';
import { indexedAs, NO_FACTS, type NoteFacts } from '../../model/note/facts.ts';
import { type NotebookPath, parentOf } from '../../model/path.ts';
import { putFile } from '../../store/files.ts';
import { putFolders } from '../../store/folders.ts';
import { addPending } from '../../store/git-pending.ts';
import type { Tx } from '../../store/open.ts';
import type { Work } from './handler.ts';
import { factsBeside, refreshTarget } from './record-about.ts';

export interface Recorded {
  readonly id: string;
  readonly path: NotebookPath;
  readonly hash: string;
  readonly state: DiskState;
  /** Content for git; undefined when it is too large or staged elsewhere. */
  readonly inline: Uint8Array | undefined;
  /** Facts read from its content; undefined when it is too long. */
  readonly facts: NoteFacts | undefined;
}

/** Records a written or found file for index and git. */
export function recordFile(tx: Tx, work: Work, file: Recorded, now: string): void {
  const { event, notebook, settings } = work;
  const isTracked = file.state.size <= settings.git_max_file_bytes;
  const reason = isTracked ? null : `longer than ${settings.git_max_file_bytes} bytes`;
  const facts = factsBeside(tx, notebook.id, file.path, file.facts ?? NO_FACTS);
  recordFolders(tx, work, file.path, now);
  putFile(tx, {
    id: file.id,
    notebookId: notebook.id,
    path: file.path,
    hash: file.hash,
    state: file.state,
    contentType: contentTypeOf(file.path),
    eventId: event.id,
    now,
    git: { tracked: isTracked, reason },
    about: facts,
  });
  const { id: fileId, hash } = file;
  work.notes.push({ kind: 'content', fileId, hash, eventId: event.id, ...indexedAs(file.path, facts) });
  refreshTarget(tx, work, file.path, now);
  if (!isTracked) return;
  addPending(tx, {
    notebook_id: notebook.id,
    kind: 'write',
    path: file.path,
    from_path: null,
    blob_hash: file.hash,
    size: file.state.size,
    content: file.inline ?? null,
    mode: file.state.mode,
    event_id: event.id,
    author: event.author,
    at: now,
  });
}

export function recordFolders(tx: Tx, { notebook, newId }: Work, path: NotebookPath, now: string): void {
  const folder = parentOf(path);
  if (folder !== undefined) putFolders(tx, notebook.id, folder, now, newId);
}

export function recordRename(tx: Tx, { event, notebook }: Work, from: string, path: string, now: string): void {
  addPending(tx, {
    ...nameOnly,
    notebook_id: notebook.id,
    kind: 'rename',
    path,
    from_path: from,
    event_id: event.id,
    author: event.author,
    at: now,
  });
}

export function recordDelete(tx: Tx, { event, notebook }: Work, path: string, now: string): void {
  addPending(tx, {
    ...nameOnly,
    notebook_id: notebook.id,
    kind: 'delete',
    path,
    from_path: null,
    event_id: event.id,
    author: event.author,
    at: now,
  });
}

const nameOnly = { blob_hash: null, size: null, content: null, mode: null } as const;
