import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';

import { folderName } from './tree-actions.ts';
import { folderOf, isWithin, joined, parentOf, ROOT, type TreeEntry, type TreeRow } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';

const TYPING_MS = 700;

interface TreeKeys {
  readonly rows: readonly TreeRow[];
  readonly at: number;
  readonly tree: NotebookTree;
  readonly page: number;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onGo: (index: number) => void;
  /** Undefined for users with read access only. */
  readonly change:
    | {
        readonly onRename: (entry: TreeEntry) => void;
        readonly onDelete: (entry: TreeEntry) => void;
        readonly onCut: (entry: TreeEntry) => void;
        readonly onPaste: (entry: TreeEntry | undefined) => void;
      }
    | undefined;
  readonly onMenu: (entry: TreeEntry) => void;
}

export function useTreeKeys(keys: TreeKeys): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: 0 });
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const isDone =
      event.ctrlKey || event.metaKey ? clipboardKey(keys, event.key) : plainKey(keys, event, typed.current);
    if (!isDone) return;
    // Any other key restarts type-ahead.
    if (event.key.length > 1 || event.ctrlKey || event.metaKey) typed.current.text = '';
    event.preventDefault();
    // Letters select a row by type-ahead here, so they must not trigger the page's shortcuts.
    event.stopPropagation();
  };
}

function entryAt({ rows, at }: TreeKeys): TreeEntry | undefined {
  const row = rows[at];
  return row?.type === 'entry' ? row.entry : undefined;
}

function clipboardKey(keys: TreeKeys, key: string): boolean {
  const entry = entryAt(keys);
  if (keys.change === undefined) return false;
  if (key === 'x' && entry !== undefined) keys.change.onCut(entry);
  else if (key === 'v') keys.change.onPaste(entry);
  else return false;
  return true;
}

function plainKey(keys: TreeKeys, event: KeyboardEvent, typed: { text: string; at: number }): boolean {
  const { key } = event;
  if (event.altKey) return false;
  if (walk(keys, key)) return true;
  const entry = entryAt(keys);
  if (entry !== undefined && act(keys, event, entry)) return true;
  return find(keys, key, typed);
}

function walk({ rows, at, page, onGo }: TreeKeys, key: string): boolean {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  onGo(Math.min(Math.max(target, 0), rows.length - 1));
  return true;
}

function act(keys: TreeKeys, { key, shiftKey }: KeyboardEvent, entry: TreeEntry): boolean {
  const { change, tree, onOpen, onMenu } = keys;
  if (key === 'Enter' || key === ' ') onOpen(entry);
  else if (key === 'ArrowRight' || key === 'ArrowLeft') unfold(keys, key === 'ArrowRight', entry);
  else if (key === '*') for (const sibling of siblingsOf(keys, entry)) tree.open(sibling.path);
  else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) onMenu(entry);
  else if (key === 'F2' && change !== undefined) change.onRename(entry);
  else if (key === 'Delete' && change !== undefined) change.onDelete(entry);
  else return false;
  return true;
}

/** Right opens a folder, then moves to its first entry. Left closes it, then moves to its parent. */
function unfold({ rows, at, tree, onGo }: TreeKeys, isRight: boolean, entry: TreeEntry): void {
  const row = rows[at];
  const isOpen = row?.type === 'entry' && row.isOpen;
  if (isRight && entry.kind === 'folder') {
    if (isOpen) onGo(Math.min(at + 1, rows.length - 1));
    else tree.open(entry.path);
  }
  if (isRight) return;
  if (isOpen) return tree.close(entry.path);
  const above = rows.findIndex((each) => each.type === 'entry' && each.entry.path === parentOf(entry.path));
  if (above >= 0) onGo(above);
}

function siblingsOf({ rows }: TreeKeys, entry: TreeEntry): readonly TreeEntry[] {
  return rows.flatMap((row) =>
    row.type === 'entry' && row.entry.kind === 'folder' && parentOf(row.entry.path) === parentOf(entry.path)
      ? [row.entry]
      : [],
  );
}

/** Type-ahead: moves to the next name that starts with the typed text. */
function find({ rows, at, onGo }: TreeKeys, key: string, typed: { text: string; at: number }): boolean {
  if (key.length !== 1 || key === '/' || key === '?') return false;
  const now = Date.now();
  typed.text = (now - typed.at < TYPING_MS ? typed.text : '') + key.toLowerCase();
  typed.at = now;
  const from = typed.text.length === 1 ? at + 1 : at;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (from + step) % rows.length;
    const row = rows[index];
    if (row?.type === 'entry' && row.entry.name.toLowerCase().startsWith(typed.text)) {
      onGo(index);
      break;
    }
  }
  return true;
}

const OPENS_AFTER_MS = 600;

export interface TreeDrag {
  readonly target: string | undefined;
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
    onDragOver: (event, entry) => hover(event, folderOf(entry)),
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
