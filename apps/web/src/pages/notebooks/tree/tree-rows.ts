export interface TreeEntry {
  readonly kind: 'folder' | 'file';
  readonly id: string;
  readonly name: string;
  /** Relative to the notebook, separated by `/`. */
  readonly path: string;
  readonly title: string | null;
  /** Why git ignores the file; null if git does not ignore it. */
  readonly git_reason: string | null;
  readonly has_children: boolean;
}

export interface FolderState {
  readonly entries: readonly TreeEntry[];
  readonly next: string | null;
  readonly isReading: boolean;
  readonly error: unknown;
}

export const ROOT = '';

export type TreeRow =
  | {
      readonly type: 'entry';
      readonly key: string;
      readonly entry: TreeEntry;
      readonly level: number;
      readonly isOpen: boolean;
      readonly position: number;
      readonly siblings: number;
    }
  | {
      readonly type: 'note';
      readonly key: string;
      readonly level: number;
      readonly folder: string;
      readonly says: 'reading' | 'empty' | 'failed';
    };

export function rowsOf(folders: ReadonlyMap<string, FolderState>, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (folder: string, level: number): void => {
    const state = folders.get(folder);
    const entries = state?.entries ?? [];
    const siblings = state?.next === null ? entries.length : -1;
    entries.forEach((entry, at) => {
      const isOpen = entry.kind === 'folder' && open.has(entry.path);
      // A moved file may appear in two folders for a moment, so its id is not a unique key.
      rows.push({
        type: 'entry',
        key: encodeURIComponent(entry.path),
        entry,
        level,
        isOpen,
        position: at + 1,
        siblings,
      });
      if (isOpen) add(entry.path, level + 1);
    });
    const says = noteOf(state);
    if (says !== undefined) rows.push({ type: 'note', key: `note ${folder}`, level, folder, says });
  };
  add(ROOT, 1);
  return rows;
}

function noteOf(state: FolderState | undefined): 'reading' | 'empty' | 'failed' | undefined {
  if (state === undefined || state.next !== null) return state?.error === undefined ? 'reading' : 'failed';
  if (state.error !== undefined) return 'failed';
  if (state.entries.length > 0) return undefined;
  return state.isReading ? 'reading' : 'empty';
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the path of the entry if it is a folder; otherwise the path of the folder that contains it. */
export function folderOf({ kind, path }: TreeEntry): string {
  return kind === 'folder' ? path : parentOf(path);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joined(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`;
}

/** Returns `a` and `a/b` for `a/b/c.md`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, at + 1).join('/'));
}

export function isWithin(path: string, folder: string): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`);
}
