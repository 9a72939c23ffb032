import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ChevronRight, File, FileImage, FileText, Folder, FolderOpen, type LucideIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';

import { reasonOf } from '../../../lib/error-reason.ts';
import { useStore } from '../../../lib/store.ts';
import { Announce } from '../../../ui/announce.tsx';
import type { MenuPosition } from '../../../ui/menu.tsx';
import { type Mark, untracked } from '../marks.ts';
import { folderOf, joined, parentOf, ROOT, rowsOf, type TreeEntry, type TreeRow } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';
import { type TreeDrag, useTreeDrag, useTreeKeys } from './use-tree-input.ts';

const ROW_HEIGHT = 32;
const INDENT = 14;

interface TreeChanges {
  readonly onMove: (entry: TreeEntry, to: string) => void;
  readonly onDelete: (entry: TreeEntry) => void;
}

interface TreeViewProps {
  readonly label: string;
  readonly tree: NotebookTree;
  readonly current: string | undefined;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onMenu: (entry: TreeEntry, at: MenuPosition) => void;
  /** Undefined for users with read access only. */
  readonly changes: TreeChanges | undefined;
  readonly renaming: string | undefined;
  readonly onRenaming: (id: string | undefined) => void;
}

/**
 * A tree of any size: only visible rows are rendered. The tree element keeps the focus and refers to the selected row
 * by id, so that the focus survives any change to the rows.
 */
export function TreeView(props: TreeViewProps): ReactNode {
  const { label, tree, onOpen, onMenu, changes, onRenaming } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, at, virtual } = useTreeRows(tree, scroller);
  const drag = useTreeDrag({ tree, onMove: changes?.onMove });
  const { cut, onCut, onPaste } = useCut(changes?.onMove);
  const onKeyDown = useTreeKeys({
    rows,
    at,
    tree,
    page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1),
    onOpen,
    onGo(index) {
      const row = rows[index];
      tree.select(row?.type === 'entry' ? row.entry.id : row?.key);
      virtual.scrollToIndex(index, { align: 'auto' });
    },
    onMenu: (entry) => onMenu(entry, placeOf(document.getElementById(`${id}-${encodeURIComponent(entry.path)}`))),
    change: changes && { onRename: (entry) => onRenaming(entry.id), onDelete: changes.onDelete, onCut, onPaste },
  });
  const says = drag.says ?? (cut === undefined ? '' : `Cut ${cut.name}. Paste it into a folder with Ctrl+V.`);
  const here = rows[at];
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={here?.type === 'entry' ? `${id}-${here.key}` : undefined}
        onKeyDown={onKeyDown}
        onDragOver={drag.onDragOverRoot}
        onDrop={drag.onDrop}
        onDragEnd={drag.onEnd}
        className={`group/tree min-h-0 flex-1 overflow-y-auto rounded-lg outline-none ${drag.target === ROOT ? 'ring-2 ring-accent' : ''}`}
      >
        <div role="none" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={key}
                role="none"
                className="absolute top-0 left-0 w-full px-0.5"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.type === 'note' ? (
                  <NoteRow row={row} tree={tree} />
                ) : (
                  <Entry
                    {...props}
                    id={id}
                    row={row}
                    isActive={index === at}
                    cut={cut}
                    drag={drag}
                    scroller={scroller}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {says !== '' && <p className="border-t border-line px-2 py-2 text-[13px] break-words text-muted">{says}</p>}
      <Announce text={says} />
    </div>
  );
}

interface Rows {
  readonly rows: readonly TreeRow[];
  readonly at: number;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
}

function useTreeRows(tree: NotebookTree, scroller: RefObject<HTMLDivElement | null>): Rows {
  const { folders, open, active } = useStore(tree.state);
  const rows = useMemo(() => rowsOf(folders, open), [folders, open]);
  const at = Math.max(
    0,
    rows.findIndex((row) => (row.type === 'entry' ? row.entry.id : row.key) === active),
  );
  useEffect(() => tree.open(ROOT), [tree]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    // Always renders the selected row, because the tree refers to it by id.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return seen.includes(at) || at >= rows.length ? seen : [...seen, at].toSorted((left, right) => left - right);
    },
  });
  return { rows, at, virtual };
}

function useCut(onMove: TreeChanges['onMove'] | undefined) {
  const [cut, onCut] = useState<TreeEntry>();
  const onPaste = (entry: TreeEntry | undefined): void => {
    if (cut === undefined) return;
    onMove?.(cut, joined(entry === undefined ? ROOT : folderOf(entry), cut.name));
    onCut(undefined);
  };
  return { cut, onCut, onPaste };
}

interface EntryProps extends TreeViewProps {
  readonly id: string;
  readonly row: Extract<TreeRow, { readonly type: 'entry' }>;
  readonly isActive: boolean;
  readonly cut: TreeEntry | undefined;
  readonly drag: TreeDrag;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** A file or folder. The tree handles the keys. */
function Entry(props: EntryProps): ReactNode {
  const { id, row, isActive, cut, drag, scroller, tree, current, marks, changes, renaming } = props;
  const { entry, level, isOpen, position, siblings } = row;
  const isFolder = entry.kind === 'folder';
  const isCurrent = entry.path === current;
  const isRenaming = entry.id === renaming;
  const mark = marks.get(entry.path) ?? untracked(entry);
  const Icon = iconOf(entry, isOpen);
  const takeFocus = (): void => scroller.current?.focus({ preventScroll: true });
  return (
    <div
      id={`${id}-${row.key}`}
      role="treeitem"
      tabIndex={-1}
      aria-label={isRenaming ? undefined : entry.name}
      aria-description={mark?.says}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isFolder ? isOpen : undefined}
      aria-selected={isActive}
      aria-current={isCurrent ? 'page' : undefined}
      data-path={entry.path}
      title={entry.title === null ? entry.path : `${entry.title}\n${entry.path}`}
      draggable={changes !== undefined && !isRenaming}
      onDragStart={(event) => drag.onStart(event, entry)}
      onDragOver={(event) => drag.onDragOver(event, entry)}
      onContextMenu={(event) => {
        event.preventDefault();
        tree.select(entry.id);
        takeFocus();
        props.onMenu(entry, { x: event.clientX, y: event.clientY });
      }}
      onClick={() => {
        tree.select(entry.id);
        takeFocus();
        props.onOpen(entry);
      }}
      style={{ paddingLeft: 6 + (level - 1) * INDENT, height: ROW_HEIGHT }}
      className={`flex cursor-pointer items-center gap-1.5 rounded-md pr-2 outline-none ${rowClass(isActive, isCurrent)} ${
        isFolder && drag.target === entry.path ? 'bg-accent-soft outline-2 outline-accent' : ''
      } ${entry.id === cut?.id ? 'opacity-50' : ''}`}
    >
      <ChevronRight
        className={`size-3.5 shrink-0 text-muted ${isFolder ? '' : 'invisible'} ${isOpen ? 'rotate-90' : ''}`}
        aria-hidden
      />
      <Icon className={`size-4 shrink-0 ${isFolder ? 'text-accent' : 'text-muted'}`} aria-hidden />
      {isRenaming ? (
        <RenameBox
          name={entry.name}
          isFolder={isFolder}
          onDone={(name) => {
            props.onRenaming(undefined);
            if (name !== undefined) changes?.onMove(entry, joined(parentOf(entry.path), name));
            takeFocus();
          }}
        />
      ) : (
        <span className="min-w-0 flex-1 truncate">{entry.name}</span>
      )}
      {mark !== undefined && !isRenaming && (
        <span aria-hidden title={mark.says} className={`size-2 shrink-0 rounded-full ${markColours[mark.kind]}`} />
      )}
    </div>
  );
}

const markColours = { waiting: 'bg-info', uncommitted: 'bg-muted', failed: 'bg-bad', untracked: 'bg-warn' } as const;

function rowClass(isActive: boolean, isCurrent: boolean): string {
  if (isCurrent)
    return `bg-accent-soft font-medium text-accent-strong ${isActive ? 'ring-accent ring-inset group-focus-visible/tree:ring-2' : ''}`;
  return isActive ? 'bg-sunken ring-accent ring-inset group-focus-visible/tree:ring-2' : 'hover:bg-sunken';
}

function iconOf({ kind, name }: TreeEntry, isOpen: boolean): LucideIcon {
  if (kind === 'folder') return isOpen ? FolderOpen : Folder;
  if (/\.(?:md|markdown|txt)$/iu.test(name)) return FileText;
  return /\.(?:png|jpe?g|gif|webp|svg)$/iu.test(name) ? FileImage : File;
}

interface RenameBoxProps {
  readonly name: string;
  readonly isFolder: boolean;
  /** Called with the new name, or with undefined if the name is unchanged. */
  readonly onDone: (name: string | undefined) => void;
}

/** Renames in place: Enter saves, Escape cancels. Initially selects the name without the file extension. */
function RenameBox({ name, isFolder, onDone }: RenameBoxProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const dot = isFolder ? -1 : name.lastIndexOf('.');
    box.current?.focus();
    box.current?.setSelectionRange(0, dot <= 0 ? name.length : dot);
  }, [name, isFolder]);
  const finish = (next: string | undefined): void => {
    if (isOver.current) return;
    isOver.current = true;
    const wanted = next?.trim();
    onDone(wanted === undefined || wanted === '' || wanted === name ? undefined : wanted);
  };
  return (
    <input
      ref={box}
      aria-label={`New name for ${name}`}
      defaultValue={name}
      className="h-6 min-w-0 flex-1 rounded border border-accent bg-surface px-1 text-text"
      onClick={(event) => event.stopPropagation()}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(undefined);
      }}
    />
  );
}

function placeOf(element: HTMLElement | null): MenuPosition {
  const { left = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return { x: left + 24, y: bottom };
}

interface NoteRowProps {
  readonly row: Extract<TreeRow, { readonly type: 'note' }>;
  readonly tree: NotebookTree;
}

/** The last row of a folder that is empty or has more pages. Loads the next page when it becomes visible. */
function NoteRow({ row: { level, folder, says }, tree }: NoteRowProps): ReactNode {
  const read = tree.state.get().folders.get(folder);
  const entries = read?.entries.length ?? 0;
  useEffect(() => {
    if (says === 'reading') void tree.more(folder);
  }, [tree, folder, says, entries]);
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      tabIndex={-1}
      style={{ paddingLeft: 26 + (level - 1) * 14 }}
      className="flex h-8 items-center gap-2 truncate text-[13px] text-muted"
    >
      {says === 'reading' && 'Loading …'}
      {says === 'empty' && 'Empty folder'}
      {says === 'failed' && (
        <>
          <span className="truncate text-bad">{reasonOf(read?.error).title}</span>
          <button type="button" className="underline" onClick={() => tree.retry(folder)}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
