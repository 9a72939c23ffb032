import { ChevronRight, File, FileImage, FileText, Folder, FolderOpen, type LucideIcon } from 'lucide-react';
import { type DragEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

import type { Mark } from '../marks.ts';
import type { TreeEntry, TreeRow } from './tree-rows.ts';

export const ROW_HEIGHT = 32;
const INDENT = 14;

interface EntryRowProps {
  readonly id: string;
  readonly row: Extract<TreeRow, { readonly type: 'entry' }>;
  readonly isActive: boolean;
  readonly isCurrent: boolean;
  readonly isCut: boolean;
  readonly isTarget: boolean;
  readonly isRenaming: boolean;
  readonly mark: Mark | undefined;
  readonly mayDrag: boolean;
  readonly onChoose: () => void;
  readonly onMenu: (event: MouseEvent) => void;
  readonly onRename: (name: string | undefined) => void;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
}

/** A file or folder. The tree handles the keys. */
export function EntryRow(props: EntryRowProps): ReactNode {
  const { id, row, isActive, isCurrent, isCut, isTarget, isRenaming, mark, mayDrag } = props;
  const { entry, level, isOpen, position, siblings } = row;
  const isFolder = entry.kind === 'folder';
  const Icon = iconOf(entry, isOpen);
  return (
    <div
      id={id}
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
      draggable={mayDrag && !isRenaming}
      onDragStart={props.onDragStart}
      onDragOver={props.onDragOver}
      onContextMenu={props.onMenu}
      onClick={props.onChoose}
      style={{ paddingLeft: 6 + (level - 1) * INDENT, height: ROW_HEIGHT }}
      className={`flex cursor-pointer items-center gap-1.5 rounded-md pr-2 outline-none ${rowClass(isActive, isCurrent)} ${
        isTarget ? 'bg-accent-soft outline-2 outline-accent' : ''
      } ${isCut ? 'opacity-50' : ''}`}
    >
      <ChevronRight
        className={`size-3.5 shrink-0 text-muted ${isFolder ? '' : 'invisible'} ${isOpen ? 'rotate-90' : ''}`}
        aria-hidden
      />
      <Icon className={`size-4 shrink-0 ${isFolder ? 'text-accent' : 'text-muted'}`} aria-hidden />
      {isRenaming ? (
        <RenameBox name={entry.name} isFolder={isFolder} onDone={props.onRename} />
      ) : (
        <span className="min-w-0 flex-1 truncate">{entry.name}</span>
      )}
      {mark !== undefined && !isRenaming && <MarkSign mark={mark} />}
    </div>
  );
}

const colours = { waiting: 'bg-info', uncommitted: 'bg-muted', failed: 'bg-bad', untracked: 'bg-warn' } as const;

function MarkSign({ mark }: { readonly mark: Mark }): ReactNode {
  return (
    <span aria-hidden title={mark.says} className="flex shrink-0 items-center">
      <span className={`size-2 rounded-full ${colours[mark.kind]}`} />
    </span>
  );
}

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
  /** Undefined when the name stays. */
  readonly onDone: (name: string | undefined) => void;
}

/** Renames in place: Enter saves, Escape cancels. The file extension is not selected. */
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
      aria-label={`New name of ${name}`}
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
