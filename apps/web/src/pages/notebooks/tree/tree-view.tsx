import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';

import { useStore } from '../../../lib/store.ts';
import { Announce } from '../../../ui/announce.tsx';
import type { MenuPlace } from '../../../ui/menu.tsx';
import type { Mark } from '../marks.ts';
import { NoteRow } from './note-row.tsx';
import { EntryRow, ROW_HEIGHT } from './tree-row.tsx';
import { joined, parentOf, ROOT, rowsOf, type TreeEntry } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';
import { useTreeDrag } from './use-tree-drag.ts';
import { useTreeKeys } from './use-tree-keys.ts';

export interface TreeChanges {
  readonly onMove: (entry: TreeEntry, to: string) => void;
  readonly onDelete: (entry: TreeEntry) => void;
}

interface TreeViewProps {
  readonly label: string;
  readonly tree: NotebookTree;
  /** The path of what is shown beside it. */
  readonly current: string | undefined;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onMenu: (entry: TreeEntry, at: MenuPlace) => void;
  /** Undefined for those who may only read. */
  readonly changes: TreeChanges | undefined;
  /** The id of the entry whose name is being changed. */
  readonly renaming: string | undefined;
  readonly onRenaming: (id: string | undefined) => void;
}

/**
 * A tree of any size: only what is seen exists in the page. The focus is that of the tree itself, which tells where one
 * stands, so that no change of its rows can lose it.
 */
export function TreeView(props: TreeViewProps): ReactNode {
  const { label, tree, current, marks, onOpen, onMenu, changes, renaming, onRenaming } = props;
  const { folders, open, active } = useStore(tree.state);
  const rows = useMemo(() => rowsOf(folders, open), [folders, open]);
  const found = rows.findIndex((row) => row.key === active);
  const at = found < 0 ? 0 : found;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState<TreeEntry>();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    // Where one stands is always there, as the tree refers to it.
    rangeExtractor: (range) => {
      const range_ = defaultRangeExtractor(range);
      return range_.includes(at) || rows.length === 0 ? range_ : [...range_, at].toSorted((a, b) => a - b);
    },
  });
  useEffect(() => tree.open(ROOT), [tree]);
  const stand = (entry: TreeEntry): void => tree.stand(entry.id);
  const go = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) tree.stand(row.key);
    virtual.scrollToIndex(index, { align: 'auto' });
  };
  const drag = useTreeDrag({ tree, onMove: changes?.onMove });
  const paste = (entry: TreeEntry | undefined): void => {
    if (cut === undefined || changes === undefined) return;
    const folder = entry === undefined ? ROOT : entry.kind === 'folder' ? entry.path : parentOf(entry.path);
    changes.onMove(cut, joined(folder, cut.name));
    setCut(undefined);
  };
  const onKeyDown = useTreeKeys({
    rows,
    at,
    tree,
    page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1),
    onOpen,
    onGo: go,
    onMenu: (entry) => onMenu(entry, placeOf(document.getElementById(`${id}-${entry.id}`))),
    change:
      changes === undefined
        ? undefined
        : {
            onRename: (entry) => onRenaming(entry.id),
            onDelete: changes.onDelete,
            onCut: setCut,
            onPaste: paste,
          },
  });
  const rename = useCallback(
    (entry: TreeEntry, name: string | undefined): void => {
      onRenaming(undefined);
      if (name !== undefined) changes?.onMove(entry, joined(parentOf(entry.path), name));
      scroller.current?.focus({ preventScroll: true });
    },
    [changes, onRenaming],
  );
  const says = drag.says ?? (cut === undefined ? '' : `${cut.name} is cut. Ctrl+V puts it where you stand.`);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={rows[at]?.type === 'entry' ? `${id}-${rows[at].key}` : undefined}
        onKeyDown={onKeyDown}
        onDragOver={drag.onDragOverRoot}
        onDrop={drag.onDrop}
        onDragEnd={drag.onEnd}
        className={`min-h-0 flex-1 overflow-y-auto rounded-lg outline-none ${drag.target === ROOT ? 'ring-2 ring-accent' : ''}`}
      >
        <div role="none" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                role="none"
                className="absolute top-0 left-0 w-full px-0.5"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.type === 'note' ? (
                  <NoteRow row={row} tree={tree} />
                ) : (
                  <EntryRow
                    id={`${id}-${row.key}`}
                    row={row}
                    isActive={index === at}
                    isCurrent={row.entry.path === current}
                    isCut={row.entry.id === cut?.id}
                    isTarget={drag.target === row.entry.path && row.entry.kind === 'folder'}
                    isRenaming={row.entry.id === renaming}
                    mark={marks.get(row.entry.path)}
                    mayDrag={changes !== undefined}
                    onChoose={(entry) => {
                      stand(entry);
                      scroller.current?.focus({ preventScroll: true });
                      onOpen(entry);
                    }}
                    onMenu={(event, entry) => {
                      event.preventDefault();
                      stand(entry);
                      onMenu(entry, { x: event.clientX, y: event.clientY });
                    }}
                    onRename={rename}
                    onDragStart={drag.onStart}
                    onDragOver={drag.onDragOver}
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

function placeOf(element: HTMLElement | null): MenuPlace {
  const { left = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return { x: left + 24, y: bottom };
}
