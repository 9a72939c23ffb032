import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import type { MenuItem, MenuPosition } from '../../ui/menu.tsx';
import { type Asked, changingItems, lookingItems, newItems } from './file-menu-items.tsx';
import { parentOf, ROOT, type TreeEntry } from './tree/tree-rows.ts';
import { treeOf } from './tree/trees.ts';

interface FileMenuInput {
  readonly id: string;
  readonly mayWrite: boolean;
  readonly onGo: () => void;
  readonly onRename: (fileId: string) => void;
}

interface FileMenu {
  readonly label: string;
  readonly at: MenuPosition | undefined;
  readonly items: readonly MenuItem[];
  readonly asked: Asked | undefined;
  readonly openNew: (at: MenuPosition) => void;
  readonly openFor: (entry: TreeEntry, at: MenuPosition) => void;
  readonly askDelete: (entry: TreeEntry) => void;
  readonly close: () => void;
  readonly answered: () => void;
}

/** Menus of the tree: for new entries, and for a file or folder. */
export function useFileMenu({ id, mayWrite, onGo, onRename }: FileMenuInput): FileMenu {
  const navigate = useNavigate();
  const [asked, onAsk] = useState<Asked>();
  const [shown, setShown] = useState<{ readonly at: MenuPosition; readonly entry: TreeEntry | undefined }>();
  const close = useCallback(() => setShown(undefined), []);
  const today = useAction({
    failed: "Could not open today's note",
    async run() {
      const { data } = await codexApi.POST('/notebooks/{notebook}/daily', { params: { notebook: id }, body: {} });
      treeOf(id).reveal(data.path);
      onGo();
      await navigate({ to: '/notebooks/$id/files/$file', params: { id, file: data.id } });
    },
  });
  const doing = {
    onAsk,
    onRename,
    onToday: () => today.mutate(),
    onHistory(file: string) {
      onGo();
      void navigate({ to: '/notebooks/$id/files/$file/history', params: { id, file } });
    },
  };
  const entry = shown?.entry;
  const folder = entry === undefined ? standingIn(id) : entry.kind === 'folder' ? entry.path : parentOf(entry.path);
  const fresh = mayWrite ? newItems(folder, doing) : [];
  return {
    label: entry === undefined ? 'Create' : `Actions for ${entry.name}`,
    at: shown?.at,
    items:
      entry === undefined
        ? fresh
        : [...lookingItems(entry, doing), ...(mayWrite ? [...changingItems(entry, doing), ...fresh.slice(0, 2)] : [])],
    asked,
    openNew: (at) => setShown({ at, entry: undefined }),
    openFor: (of, at) => setShown({ at, entry: of }),
    askDelete: (of) => onAsk({ what: 'delete', entry: of }),
    close,
    answered: () => onAsk(undefined),
  };
}

/** Folder of the selected entry. */
function standingIn(id: string): string {
  const { folders, active } = treeOf(id).state.get();
  for (const { entries } of folders.values()) {
    const found = entries.find((each) => each.id === active);
    if (found !== undefined) return found.kind === 'folder' ? found.path : parentOf(found.path);
  }
  return ROOT;
}
