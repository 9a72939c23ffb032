import { isHoldfastError, parseStoredList } from '@holdfast/base';
import { distance } from '@holdfast/git';

import type { Notebook } from '../model/notebook.ts';
import { originalOf } from '../model/path.ts';
import type { RemoteRow } from '../model/remote.ts';
import type * as operations from '../operations/remotes.ts';
import { fileAt } from '../store/files.ts';
import * as remoteStore from '../store/remotes.ts';
import type { Codex } from './codex.ts';

export async function remotesOf(codex: Codex, notebook: Notebook): Promise<readonly operations.RemoteView[]> {
  const rows = remoteStore.listRemotes(codex.store.reader, notebook.id);
  return Promise.all(rows.map((row) => remoteView(codex, notebook, row)));
}

export async function remoteView(codex: Codex, notebook: Notebook, row: RemoteRow): Promise<operations.RemoteView> {
  const { name, url, branch, synced_at, tried_at, error_code, error_message } = row;
  const merge = remoteStore.findMerge(codex.store.reader, notebook.id);
  return {
    name,
    url,
    branch,
    credentials: row.token !== null ? 'token' : row.key_file === null ? 'agent' : 'key_file',
    ...(await distanceTo(codex, notebook, row)),
    synced_at,
    tried_at,
    problem: error_code === null ? null : { code: error_code, message: error_message ?? '' },
    is_merging: merge?.remote === name,
    skipped: parseStoredList(row.skipped) as operations.RemoteView['skipped'],
  };
}

/**
 * Counts the commits that only the notebook has, and those that only the remote has, as of the last sync. Null before
 * the first sync.
 */
async function distanceTo(
  codex: Codex,
  notebook: Notebook,
  { tip }: RemoteRow,
): Promise<{ ahead: number | null; behind: number | null }> {
  const none = { ahead: null, behind: null };
  try {
    const { repository, objects } = await codex.git.repository(notebook.id);
    const head = (await objects.read('HEAD'))?.oid;
    if (tip === null || head === undefined || (await objects.read(tip)) === undefined) return none;
    return await distance(repository.root, head, tip);
  } catch (error) {
    if (isHoldfastError(error)) return none;
    throw error;
  }
}

const CONFLICTS_MAX = 100;

/** Returns the files with an unresolved second version next to them. */
export function conflictsOf({ store }: Codex, notebook: Notebook): operations.ConflictView[] {
  const paths = remoteStore.conflictCandidates(store.reader, notebook.id, CONFLICTS_MAX);
  return paths.flatMap((path) => {
    const original = originalOf(path);
    const copy = fileAt(store.reader, notebook.id, path);
    if (original === undefined || copy === undefined) return [];
    const file_id = fileAt(store.reader, notebook.id, original)?.id ?? null;
    return [{ path: original, copy: path, file_id, copy_id: copy.id }];
  });
}
