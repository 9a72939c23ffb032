import { failpoint } from '@holdfast/base';

import { codexErrors } from '../../model/errors.ts';
import type { EventResult } from '../../model/event.ts';
import type { FolderIntent, Intent, NoteIntent } from '../../model/operation.ts';
import { fileById, putMetadata } from '../../store/files.ts';
import { folderAt, putFolder } from '../../store/folders.ts';
import type { Transaction } from '../../store/open.ts';
import { type Handler, recordFolders, type Work } from './handler.ts';
import { move } from './move.ts';
import { sync } from './sync.ts';
import { trash, untrash } from './trash.ts';
import { write } from './write.ts';

const nothing: Handler<Intent, undefined> = { apply: async () => undefined, finish: () => ({ unchanged: true }) };

const folder: Handler<FolderIntent, undefined> = {
  async apply({ tree }, { path }) {
    tree.makeFolders(path);
    failpoint('codex.folder.made');
    return undefined;
  },
  finish(tx, work, { path, file_id }, _done, now) {
    recordFolders(tx, work, path, now);
    const known = folderAt(tx, work.notebook.id, path);
    if (known === undefined) putFolder(tx, work.notebook.id, path, file_id, now);
    return { file_id: known?.id ?? file_id, path };
  },
};

const note: Handler<NoteIntent, undefined> = {
  apply: async () => undefined,
  finish(tx, work, intent, _done, now) {
    const row = fileById(tx, intent.file_id);
    if (row === undefined) throw codexErrors.FILE_NOT_FOUND(`${intent.path} is not in the notebook`);
    const answer = { file_id: row.id, path: row.path, hash: row.hash };
    if (intent.metadata === undefined) return { ...answer, unchanged: true };
    putMetadata(tx, row.id, intent.metadata, work.event.id, now);
    return answer;
  },
};

const handlers = { folder, move, note, nothing, sync, trash, untrash, write } as Readonly<
  Record<Intent['type'], Handler<Intent, unknown>>
>;

export function applyIntent(work: Work, intent: Intent): Promise<unknown> {
  return handlers[intent.type].apply(work, intent);
}

export function finishIntent(tx: Transaction, work: Work, intent: Intent, done: unknown, now: string): EventResult {
  return handlers[intent.type].finish(tx, work, intent, done, now);
}

export async function undoIntent(work: Work, intent: Intent): Promise<void> {
  await handlers[intent.type].undo?.(work, intent);
}
