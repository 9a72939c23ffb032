import { codexApi } from '../../../api/clients.ts';
import type { CodexEvent } from '../../../api/types.ts';
import { foldersAbove, parentOf } from './tree-rows.ts';
import { NotebookTree } from './tree-store.ts';

const PAGE = 100;
const trees = new Map<string, NotebookTree>();

/** The tree of a notebook, created once. */
export function treeOf(id: string): NotebookTree {
  const known =
    trees.get(id) ??
    new NotebookTree(async (folder, cursor) => {
      const query = { folder, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      return (await codexApi.GET('/notebooks/{notebook}/tree', { params: { notebook: id }, query })).data;
    });
  trees.set(id, known);
  return known;
}

/** Refreshes the folders that events have changed. */
export function followEvents(id: string, events: readonly CodexEvent[]): void {
  const tree = treeOf(id);
  const touched = new Set<string>();
  for (const event of events) {
    if (String(event.notebook_id) !== id || event.status !== 'completed' || !changesNames(event)) continue;
    // The file may be shown in a different folder than the event names.
    if (event.file_id !== null) for (const folder of tree.foldersWith(event.file_id)) touched.add(folder);
    for (const path of [event.path, event.dest_path, fromOf(event)]) {
      if (path === null) continue;
      touched.add(parentOf(path));
      // Parent folders may be new, too.
      for (const folder of foldersAbove(path)) if (!tree.knows(folder)) touched.add(parentOf(folder));
    }
  }
  for (const folder of touched) tree.refresh(folder);
}

function changesNames({ event_type: type, operation, result }: CodexEvent): boolean {
  if (type === 'batch_commit' || type === 'update' || operation['event'] === 'modified') return false;
  return result?.['unchanged'] !== true;
}

/** The source of a move by another program. */
function fromOf({ operation }: CodexEvent): string | null {
  const { from } = operation;
  return typeof from === 'string' ? from : null;
}
