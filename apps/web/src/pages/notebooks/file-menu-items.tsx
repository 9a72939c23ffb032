import { CalendarDays, Copy, FilePlus, FolderInput, FolderPlus, History, Pencil, Trash2 } from 'lucide-react';

import { copyText } from '../../lib/copy.ts';
import { say } from '../../lib/toasts.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { TreeEntry } from './tree/tree-rows.ts';

export type Asked =
  | { readonly what: 'note' | 'folder'; readonly folder: string }
  | { readonly what: 'move' | 'delete'; readonly entry: TreeEntry };

interface Doing {
  readonly onAsk: (asked: Asked) => void;
  readonly onRename: (fileId: string) => void;
  readonly onToday: () => void;
  readonly onHistory: (fileId: string) => void;
}

const icon = 'size-4 text-muted';

export function newItems(folder: string, { onAsk, onToday }: Doing): readonly MenuItem[] {
  return [
    {
      label: 'Create note',
      icon: <FilePlus className={icon} aria-hidden />,
      run: () => onAsk({ what: 'note', folder }),
    },
    {
      label: 'Create folder',
      icon: <FolderPlus className={icon} aria-hidden />,
      run: () => onAsk({ what: 'folder', folder }),
    },
    { label: "Open today's note", icon: <CalendarDays className={icon} aria-hidden />, run: onToday },
  ];
}

/** Menu items that do not change anything. */
export function lookingItems({ path, kind, id }: TreeEntry, { onHistory }: Doing): readonly MenuItem[] {
  const copy = { label: 'Copy path', icon: <Copy className={icon} aria-hidden />, run: () => void copyPath(path) };
  if (kind === 'folder') return [copy];
  return [copy, { label: 'Show history', icon: <History className={icon} aria-hidden />, run: () => onHistory(id) }];
}

export function changingItems(entry: TreeEntry, { onAsk, onRename }: Doing): readonly MenuItem[] {
  return [
    { label: 'Rename', hint: 'F2', icon: <Pencil className={icon} aria-hidden />, run: () => onRename(entry.id) },
    {
      label: 'Move to …',
      hint: 'Ctrl X, V',
      icon: <FolderInput className={icon} aria-hidden />,
      run: () => onAsk({ what: 'move', entry }),
    },
    {
      label: 'Delete',
      hint: 'Del',
      isDanger: true,
      icon: <Trash2 className="size-4" aria-hidden />,
      run: () => onAsk({ what: 'delete', entry }),
    },
  ];
}

async function copyPath(path: string): Promise<void> {
  if (await copyText(path)) say('Path copied');
}
