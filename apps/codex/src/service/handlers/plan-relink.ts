import { MEBIBYTE } from '@holdfast/base';

import { type Staged, stageContent } from '../../adapters/blobs.ts';
import { readFile } from '../../adapters/file-content.ts';
import { staleRead } from '../../model/failure.ts';
import type { Intent } from '../../model/intent.ts';
import { relinked } from '../../model/links/relink.ts';
import type { UpdateOperation } from '../../model/operation.ts';
import type { NotebookPath } from '../../model/path.ts';
import { isText } from '../../model/sniff.ts';
import { fileById } from '../../store/files.ts';
import { Resolver } from '../links/resolver.ts';
import type { Work } from './handler.ts';

/** The intent of an operation, with content that planning produced. */
export interface Planned {
  readonly intent: Intent;
  readonly made?: Staged;
}

/** Longer texts are not read for links. */
const BYTES_MAX: number = 2 * MEBIBYTE;
const NOTHING: Planned = { intent: { type: 'nothing' } };

/** Rewrites links in the current version of a note, so later edits are kept. */
export async function planRelink(work: Work, operation: UpdateOperation): Promise<Planned> {
  const { reader, notebook, tree, event } = work;
  const row = fileById(reader, operation.file_id);
  const found = row?.notebook_id === notebook.id ? tree.state(row.path) : undefined;
  if (row === undefined || found?.kind !== 'file' || found.size > BYTES_MAX) return NOTHING;
  const { bytes, hash, state } = await readFile(tree, row.path);
  // Another program is writing the file now; its version is recorded first.
  if (hash !== row.hash && event.retry_count === 0) throw staleRead(row.path);
  if (!isText(bytes)) return NOTHING;
  const resolver = new Resolver(reader, notebook.id);
  const text = relinked(row.path, Buffer.from(bytes).toString('utf8'), operation.relink ?? [], {
    fileOf: (id) => fileById(reader, id),
    resolve: (link) => resolver.resolve(row.path, link),
  });
  if (text === undefined) return NOTHING;
  const made = await stageContent(notebook.path, Buffer.from(text));
  const after = { hash: made.hash, size: made.size };
  const path = row.path as NotebookPath;
  return { made, intent: { type: 'write', path, file_id: row.id, before: hash, before_state: state, after } };
}
