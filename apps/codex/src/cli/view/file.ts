import { join } from 'node:path';

import type { CommandContext } from '@holdfast/cli';

import type { FileRecord, Notebook } from '../../model/notebook.ts';

/** For people and scripts: where the file is on disk, so that an editor can open it. */
export function showFile(out: CommandContext['out'], notebook: Notebook, file: FileRecord): void {
  const place = join(notebook.path, file.path);
  out.result({ id: file.id, path: file.path, hash: file.hash, file: place }, (page) => page.line(place));
}
