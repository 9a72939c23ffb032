import { fileVersion } from '../git/history.ts';
import type { NotebookPath } from '../model/path.ts';
import { fileAt } from '../store/files.ts';
import type { Codex } from './codex.ts';
import type { Request } from './requests.ts';

/** What has to be asked for so that a file is again as it was at a commit; one that is gone is created anew. */
export async function restoreRequest(
  codex: Codex,
  notebookId: number,
  path: NotebookPath,
  commit: string,
): Promise<Request> {
  const version = await fileVersion(await codex.git.repository(notebookId), path, commit);
  const row = fileAt(codex.store.reader, notebookId, path);
  if (row === undefined) return { type: 'create', path, content: version.content };
  return { type: 'update', file: { id: row.id }, content: version.content };
}
