import { codexApi } from '../../../api/clients.ts';
import type { CodexEvent } from '../../../api/types.ts';
import { foldersAbove, parentOf } from './tree-rows.ts';
import { NotebookTree } from './tree-store.ts';

const PAGE = 100;
const trees = new Map<string, NotebookTree>();

/** The tree of a notebook, made once. */
export function treeOf(id: string): NotebookTree {
  const known =
    trees.get(id) ??
    new NotebookTree(async (folder, cursor) => {
      const query = { folder, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      return (await codexApi.GET('/notebooks/{id}/tree', { params: { id }, query })).data;
    });
  trees.set(id, known);
  return known;
}

/** Reads again the folders in which events have changed what there is. */
export function followEvents(id: string, events: readonly CodexEvent[]): void {
  const tree = treeOf(id);
  const touched = new Set<string>();
  for (const event of events) {
    if (String(event.notebook_id) !== id || event.status !== 'completed' || !changesNames(event)) continue;
    // It may have been elsewhere than whoever asked for it believed.
    if (event.file_id !== null) for (const folder of tree.foldersWith(event.file_id)) touched.add(folder);
    for (const path of [event.path, event.dest_path, fromOf(event)]) {
      if (path === null) continue;
      touched.add(parentOf(path));
      // Folders above may be new as well.
      for (const folder of foldersAbove(path)) if (!tree.knows(folder)) touched.add(parentOf(folder));
    }
  }
  for (const folder of touched) tree.refresh(folder);
}

function changesNames({ event_type: type, operation, result }: CodexEvent): boolean {
  if (type === 'batch_commit' || type === 'update' || operation['event'] === 'modified') return false;
  return result?.['unchanged'] !== true;
}

/** Where another program has moved it from. */
function fromOf({ operation }: CodexEvent): string | null {
  const { from } = operation;
  return typeof from === 'string' ? from : null;
}
