import { type DragEvent, useRef, useState } from 'react';

import { isWithin, joined, parentOf, ROOT, type TreeEntry } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';
import { folderName } from './use-tree-actions.ts';

const OPENS_AFTER_MS = 600;

export interface TreeDrag {
  /** The folder that a drop would move it to. */
  readonly target: string | undefined;
  /** Describes the effect of a drop. */
  readonly says: string | undefined;
  readonly onStart: (event: DragEvent, entry: TreeEntry) => void;
  readonly onDragOver: (event: DragEvent, entry: TreeEntry) => void;
  readonly onDragOverRoot: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onEnd: () => void;
}

interface TreeDragInput {
  readonly tree: NotebookTree;
  readonly onMove: ((entry: TreeEntry, to: string) => void) | undefined;
}

/** Drag and drop onto folders or their entries; a folder opens when hovered. */
export function useTreeDrag({ tree, onMove }: TreeDragInput): TreeDrag {
  const [dragged, setDragged] = useState<TreeEntry>();
  const [over, setOver] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isAllowed = dragged !== undefined && over !== undefined && mayFall(dragged, over);
  const hover = (event: DragEvent, folder: string): void => {
    if (dragged === undefined) return;
    event.stopPropagation();
    if (mayFall(dragged, folder)) event.preventDefault();
    if (folder === over) return;
    setOver(folder);
    clearTimeout(timer.current);
    if (folder !== ROOT) timer.current = setTimeout(() => tree.open(folder), OPENS_AFTER_MS);
  };
  const end = (): void => {
    clearTimeout(timer.current);
    setDragged(undefined);
    setOver(undefined);
  };
  return {
    target: isAllowed ? over : undefined,
    says: dragged === undefined || over === undefined ? undefined : preview(dragged, over),
    onStart(event, entry) {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', entry.path);
      setDragged(entry);
    },
    onDragOver: (event, entry) => hover(event, entry.kind === 'folder' ? entry.path : parentOf(entry.path)),
    onDragOverRoot: (event) => hover(event, ROOT),
    onDrop(event) {
      event.preventDefault();
      if (dragged !== undefined && over !== undefined && isAllowed) onMove?.(dragged, joined(over, dragged.name));
      end();
    },
    onEnd: end,
  };
}

function mayFall(entry: TreeEntry, folder: string): boolean {
  return parentOf(entry.path) !== folder && !(entry.kind === 'folder' && isWithin(folder, entry.path));
}

function preview(entry: TreeEntry, folder: string): string {
  if (parentOf(entry.path) === folder) return `${entry.name} stays in ${folderName(folder)}`;
  if (!mayFall(entry, folder)) return 'A folder cannot be moved into itself';
  const along = entry.kind === 'folder' ? ' with its contents' : '';
  return `Move ${entry.name} to ${folderName(folder)}${along}`;
}
