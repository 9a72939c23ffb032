import { useNavigate } from '@tanstack/react-router';
import { CalendarDays, Copy, FilePlus, FolderInput, FolderPlus, History, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';

import { codexApi } from '../../api/codex-client.ts';
import { useAction } from '../../api/use-action.ts';
import { copyText } from '../../lib/copy.ts';
import { say } from '../../lib/toasts.ts';
import type { MenuItem, MenuPlace } from '../../ui/menu.tsx';
import { parentOf, ROOT, type TreeEntry } from './tree/tree-rows.ts';
import { treeOf } from './tree/trees.ts';

/** What a dialog asks for. */
export type Asked =
  | { readonly what: 'note' | 'folder'; readonly folder: string }
  | { readonly what: 'move' | 'delete'; readonly entry: TreeEntry };

interface FileMenuInput {
  readonly id: string;
  readonly mayWrite: boolean;
  readonly onGo: () => void;
  readonly onRename: (fileId: string) => void;
}

interface FileMenu {
  readonly label: string;
  readonly at: MenuPlace | undefined;
  readonly items: readonly MenuItem[];
  readonly asked: Asked | undefined;
  readonly openNew: (at: MenuPlace) => void;
  readonly openFor: (entry: TreeEntry, at: MenuPlace) => void;
  readonly askDelete: (entry: TreeEntry) => void;
  readonly close: () => void;
  readonly answered: () => void;
}

const icon = 'size-4 text-muted';

/** The menus of the tree: of what is new, and of one file or folder. */
export function useFileMenu({ id, mayWrite, onGo, onRename }: FileMenuInput): FileMenu {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<{ readonly at: MenuPlace; readonly entry: TreeEntry | undefined }>();
  const close = useCallback(() => setShown(undefined), []);
  const today = useAction({
    failed: "Could not open today's note",
    async run() {
      const { data } = await codexApi.POST('/notebooks/{id}/daily', { params: { id }, body: {} });
      treeOf(id).reveal(data.path);
      onGo();
      await navigate({ to: '/notebooks/$id/files/$file', params: { id, file: data.id } });
    },
  });
  const entry = shown?.entry;
  const folder = entry === undefined ? standingIn(id) : entry.kind === 'folder' ? entry.path : parentOf(entry.path);
  const fresh: readonly MenuItem[] = [
    {
      label: 'New note',
      icon: <FilePlus className={icon} aria-hidden />,
      run: () => setAsked({ what: 'note', folder }),
    },
    {
      label: 'New folder',
      icon: <FolderPlus className={icon} aria-hidden />,
      run: () => setAsked({ what: 'folder', folder }),
    },
  ];
  const day: MenuItem = {
    label: "Today's note",
    icon: <CalendarDays className={icon} aria-hidden />,
    run: () => today.mutate(),
  };
  const changing = (of: TreeEntry): readonly MenuItem[] => [
    ...fresh,
    { label: 'Rename', hint: 'F2', icon: <Pencil className={icon} aria-hidden />, run: () => onRename(of.id) },
    {
      label: 'Move to …',
      hint: 'Ctrl X, V',
      icon: <FolderInput className={icon} aria-hidden />,
      run: () => setAsked({ what: 'move', entry: of }),
    },
    {
      label: 'Delete',
      hint: 'Del',
      isDanger: true,
      icon: <Trash2 className="size-4" aria-hidden />,
      run: () => setAsked({ what: 'delete', entry: of }),
    },
  ];
  const looking = (of: TreeEntry): readonly MenuItem[] => [
    { label: 'Copy the path', icon: <Copy className={icon} aria-hidden />, run: () => void copyPath(of.path) },
    ...(of.kind === 'file'
      ? [
          {
            label: 'History',
            icon: <History className={icon} aria-hidden />,
            run: () => {
              onGo();
              void navigate({ to: '/notebooks/$id/files/$file/history', params: { id, file: of.id } });
            },
          },
        ]
      : []),
  ];
  return {
    label: entry === undefined ? 'New' : `What to do with ${entry.name}`,
    at: shown?.at,
    items: entry === undefined ? [...fresh, day] : [...looking(entry), ...(mayWrite ? changing(entry) : [])],
    asked,
    openNew: (at) => setShown({ at, entry: undefined }),
    openFor: (of, at) => setShown({ at, entry: of }),
    askDelete: (of) => setAsked({ what: 'delete', entry: of }),
    close,
    answered: () => setAsked(undefined),
  };
}

async function copyPath(path: string): Promise<void> {
  if (await copyText(path)) say('The path is copied');
}

/** The folder where one stands in the tree. */
function standingIn(id: string): string {
  const { folders, active } = treeOf(id).state.get();
  for (const { entries } of folders.values()) {
    const found = entries.find((each) => each.id === active);
    if (found !== undefined) return found.kind === 'folder' ? found.path : parentOf(found.path);
  }
  return ROOT;
}
