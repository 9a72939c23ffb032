import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';

import { reasonOf } from '../../../lib/error-reason.ts';
import { useStore } from '../../../lib/store.ts';
import { Announce } from '../../../ui/announce.tsx';
import type { MenuPosition } from '../../../ui/menu.tsx';
import { type Mark, untracked } from '../marks.ts';
import { EntryRow, ROW_HEIGHT } from './tree-row.tsx';
import { joined, parentOf, ROOT, rowsOf, type TreeEntry, type TreeRow } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';
import { type TreeDrag, useTreeDrag } from './use-tree-drag.ts';
import { useTreeKeys } from './use-tree-keys.ts';

interface TreeChanges {
  readonly onMove: (entry: TreeEntry, to: string) => void;
  readonly onDelete: (entry: TreeEntry) => void;
}

interface TreeViewProps {
  readonly label: string;
  readonly tree: NotebookTree;
  /** Path of the open file. */
  readonly current: string | undefined;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onMenu: (entry: TreeEntry, at: MenuPosition) => void;
  /** Undefined for users with read access only. */
  readonly changes: TreeChanges | undefined;
  /** Id of the entry being renamed. */
  readonly renaming: string | undefined;
  readonly onRenaming: (id: string | undefined) => void;
}

/**
 * A tree of any size: only visible rows are in the page. The tree itself has the focus and names the selected row, so
 * that no change of rows can lose it.
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
      tree.stand(row?.type === 'entry' ? row.entry.id : row?.key);
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
  /** Index of the selected row. */
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
    // Always renders the selected row, because the tree refers to it.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return seen.includes(at) || at >= rows.length ? seen : [...seen, at].toSorted((left, right) => left - right);
    },
  });
  return { rows, at, virtual };
}

/** Cut and paste of a file or folder. */
function useCut(onMove: TreeChanges['onMove'] | undefined) {
  const [cut, onCut] = useState<TreeEntry>();
  const onPaste = (entry: TreeEntry | undefined): void => {
    if (cut === undefined) return;
    const folder = entry === undefined ? ROOT : entry.kind === 'folder' ? entry.path : parentOf(entry.path);
    onMove?.(cut, joined(folder, cut.name));
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

function Entry(props: EntryProps): ReactNode {
  const { id, row, isActive, cut, drag, scroller, tree, current, marks, changes, renaming } = props;
  const { entry } = row;
  const takeFocus = (): void => scroller.current?.focus({ preventScroll: true });
  return (
    <EntryRow
      id={`${id}-${row.key}`}
      row={row}
      isActive={isActive}
      isCurrent={entry.path === current}
      isCut={entry.id === cut?.id}
      isTarget={drag.target === entry.path && entry.kind === 'folder'}
      isRenaming={entry.id === renaming}
      mark={marks.get(entry.path) ?? untracked(entry)}
      mayDrag={changes !== undefined}
      onChoose={() => {
        tree.stand(entry.id);
        takeFocus();
        props.onOpen(entry);
      }}
      onMenu={(event) => {
        event.preventDefault();
        tree.stand(entry.id);
        takeFocus();
        props.onMenu(entry, { x: event.clientX, y: event.clientY });
      }}
      onRename={(name) => {
        props.onRenaming(undefined);
        if (name !== undefined) changes?.onMove(entry, joined(parentOf(entry.path), name));
        takeFocus();
      }}
      onDragStart={(event) => drag.onStart(event, entry)}
      onDragOver={(event) => drag.onDragOver(event, entry)}
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

/** The end of a folder that is empty or has more pages, which it loads when visible. */
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
