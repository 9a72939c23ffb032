import { codexApi } from '../../../api/clients.ts';
import type { CodexEvent } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { count } from '../../../lib/format.ts';
import { say } from '../../../lib/toasts.ts';
import { foldersAbove, nameOf, parentOf, type TreeEntry } from './tree-rows.ts';
import { NotebookTree } from './tree-store.ts';

const PAGE = 100;
const trees = new Map<string, NotebookTree>();

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

export function followEvents(id: string, events: readonly CodexEvent[]): void {
  const tree = treeOf(id);
  const touched = new Set<string>();
  for (const event of events) {
    if (String(event.notebook_id) !== id || event.status !== 'completed' || !changesNames(event)) continue;
    // The tree may show the file in a folder other than the one in the event.
    if (event.file_id !== null) for (const folder of tree.foldersWith(event.file_id)) touched.add(folder);
    for (const path of [event.path, event.dest_path, fromOf(event)]) {
      if (path === null) continue;
      touched.add(parentOf(path));
      // Parent folders may also be new.
      for (const folder of foldersAbove(path)) if (!tree.knows(folder)) touched.add(parentOf(folder));
    }
  }
  for (const folder of touched) tree.refresh(folder);
}

function changesNames({ event_type: type, operation, result }: CodexEvent): boolean {
  if (type === 'batch_commit' || type === 'update' || operation['event'] === 'modified') return false;
  return result?.['unchanged'] !== true;
}

/** Returns the source path if another program moved the file. */
function fromOf({ operation }: CodexEvent): string | null {
  const { from } = operation;
  return typeof from === 'string' ? from : null;
}

export interface TreeActions {
  /** Renames or moves; never overwrites. */
  readonly move: (entry: TreeEntry, to: string) => void;
  readonly remove: (entry: TreeEntry) => void;
  readonly isRemoving: boolean;
  readonly createFolder: (path: string) => Promise<unknown>;
}

const done = { wait: 30 } as const;

export function useTreeActions(id: string): TreeActions {
  const tree = treeOf(id);
  const refresh = (...paths: readonly string[]): void => {
    for (const path of new Set(paths.map(parentOf))) tree.refresh(path);
  };
  const move = useAction<{ readonly entry: TreeEntry; readonly to: string; readonly isUndo?: boolean }>({
    failed: 'Could not move the file',
    async run({ entry, to, isUndo = false }) {
      const params = { notebook: id, file: entry.id };
      await codexApi.PATCH('/notebooks/{notebook}/files/{file}/move', { params, query: done, body: { dest_path: to } });
      refresh(entry.path, to);
      if (isUndo) return say(`Moved ${nameOf(to)} back`);
      const undo = (): void => move.mutate({ entry: { ...entry, path: to }, to: entry.path, isUndo: true });
      return say(toldMove(entry, to), { label: 'Undo', run: undo });
    },
  });
  const restore = useAction<{ readonly entry: TreeEntry; readonly eventId: number }>({
    failed: 'Could not restore the file',
    done: () => 'Restored from trash',
    async run({ entry, eventId }) {
      const params = { notebook: id, event_id: String(eventId) };
      await codexApi.POST('/notebooks/{notebook}/trash/{event_id}/restore', { params, query: done });
      refresh(entry.path);
    },
  });
  const remove = useAction<TreeEntry>({
    failed: 'Could not delete the file',
    async run(entry) {
      const { eventId, files } = await trash(id, entry);
      refresh(entry.path);
      const along = files === undefined ? '' : ` (${count(files, 'file')})`;
      const undo = (): void => restore.mutate({ entry, eventId });
      say(`Moved ${entry.name} to trash${along}`, { label: 'Undo', run: undo });
    },
  });
  const createFolder = useAction<string>({
    failed: 'Could not create the folder',
    async run(path) {
      await codexApi.POST('/notebooks/{notebook}/folders', { params: { notebook: id }, query: done, body: { path } });
      tree.reveal(path);
      refresh(path);
    },
  });
  return {
    move: (entry, to) => to !== entry.path && move.mutate({ entry, to }),
    remove: (entry) => remove.mutate(entry),
    isRemoving: remove.isPending,
    createFolder: createFolder.mutateAsync,
  };
}

function toldMove(entry: TreeEntry, to: string): string {
  if (parentOf(entry.path) === parentOf(to)) return `Renamed ${entry.name} to ${nameOf(to)}`;
  return `Moved ${entry.name} to ${folderName(parentOf(to))}`;
}

export function folderName(folder: string): string {
  return folder === '' ? 'the top folder' : folder;
}

async function trash(
  id: string,
  entry: TreeEntry,
): Promise<{ readonly eventId: number; readonly files: number | undefined }> {
  const params = { notebook: id, file: entry.id };
  const { data } = await codexApi.DELETE('/notebooks/{notebook}/files/{file}', { params, query: done });
  return { eventId: data.event_id, files: data.file_count };
}
