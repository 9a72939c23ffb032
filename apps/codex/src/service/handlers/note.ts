import { codexErrors } from '../../model/errors.ts';
import type { NoteIntent } from '../../model/intent.ts';
import { fileById, putMetadata } from '../../store/files.ts';
import type { Handler } from './handler.ts';

/** What people say about a file; the file itself stays as it is. */
export const note: Handler<NoteIntent, undefined> = {
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
