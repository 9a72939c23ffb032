import { failpoint } from '@holdfast/base';

import type { FolderIntent } from '../../model/intent.ts';
import { folderAt, putFolder } from '../../store/folders.ts';
import type { Handler } from './handler.ts';
import { recordFolders } from './record-file.ts';

export const folder: Handler<FolderIntent, undefined> = {
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
