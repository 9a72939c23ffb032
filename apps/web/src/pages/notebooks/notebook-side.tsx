import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  CalendarDays,
  Copy,
  FilePlus,
  FolderInput,
  FolderPlus,
  History,
  Pencil,
  Plus,
  Search,
  Trash2,
} from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { notebooksQuery, noteQuery, recentQuery } from '../../api/codex-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { copyText } from '../../lib/copy.ts';
import { useMay } from '../../lib/permissions.ts';
import { say } from '../../lib/toasts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Menu, type MenuItem, type MenuPosition } from '../../ui/menu.tsx';
import { BackLink } from '../../ui/page.tsx';
import { FileDialogs } from './file-dialogs.tsx';
import { marksOf } from './marks.ts';
import { treeOf, useTreeActions } from './tree/tree-actions.ts';
import { parentOf, ROOT, type TreeEntry } from './tree/tree-rows.ts';
import { TreeView } from './tree/tree-view.tsx';

interface NotebookSideProps {
  readonly id: string;
  readonly fileId: string | undefined;
  /** Called when something is opened. */
  readonly onGo: () => void;
}

/** The file tree with its menus and dialogs. */
export function NotebookSide({ id, fileId, onGo }: NotebookSideProps): ReactNode {
  const navigate = useNavigate();
  const tree = treeOf(id);
  const mayWrite = useMay('app:codex:write');
  const { data: notebooks } = useQuery(notebooksQuery);
  const { data: recent } = useQuery(recentQuery(id));
  const { data: note } = useQuery({ ...noteQuery(id, fileId ?? ''), enabled: fileId !== undefined });
  const marks = useMemo(() => marksOf(recent ?? []), [recent]);
  const actions = useTreeActions(id);
  const [renaming, setRenaming] = useState<string>();
  const menu = useFileMenu({ id, mayWrite, onGo, onRename: setRenaming });
  const name = notebooks?.find((each) => String(each.id) === id)?.name ?? 'Notebook';
  const current = fileId === undefined ? undefined : note?.path;
  const stood = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || fileId === undefined) return;
    tree.reveal(current);
    // Selects a newly opened file, but does not follow when it is moved.
    if (stood.current !== fileId) tree.stand(fileId);
    stood.current = fileId;
  }, [tree, current, fileId]);
  return (
    <>
      <SideHead id={id} name={name} onNew={mayWrite ? menu.openNew : undefined} onGo={onGo} />
      <TreeView
        label={`Files of ${name}`}
        tree={tree}
        current={current}
        marks={marks}
        renaming={renaming}
        onRenaming={setRenaming}
        onMenu={menu.openFor}
        changes={mayWrite ? { onMove: actions.move, onDelete: menu.askDelete } : undefined}
        onOpen={(entry) => {
          if (entry.kind === 'file') {
            onGo();
            void navigate({ to: '/notebooks/$id/files/$file', params: { id, file: entry.id } });
          } else if (tree.state.get().open.has(entry.path)) tree.close(entry.path);
          else tree.open(entry.path);
        }}
      />
      <Menu label={menu.label} at={menu.at} items={menu.items} onClose={menu.close} />
      <FileDialogs id={id} asked={menu.asked} actions={actions} onGo={onGo} onClose={menu.answered} />
    </>
  );
}

interface SideHeadProps {
  readonly id: string;
  readonly name: string;
  readonly onNew: ((at: MenuPosition) => void) | undefined;
  readonly onGo: () => void;
}

function SideHead({ id, name, onNew, onGo }: SideHeadProps): ReactNode {
  return (
    <>
      <BackLink to="/notebooks">All notebooks</BackLink>
      <Link
        to="/notebooks/$id"
        params={{ id }}
        onClick={onGo}
        className="mt-1 truncate text-base font-semibold hover:underline"
      >
        {name}
      </Link>
      <div className="mt-2 mb-3 flex flex-wrap gap-1.5">
        {onNew !== undefined && (
          <Button
            variant="primary"
            size="small"
            icon={Plus}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => onNew(below(currentTarget))}
          >
            Create
          </Button>
        )}
        <Link
          to="/notebooks/$id/search"
          params={{ id }}
          onClick={onGo}
          className={buttonClass('plain', 'small')}
          title="Search this notebook"
        >
          <Search className="size-3.5" aria-hidden />
          Search
        </Link>
        <Link
          to="/notebooks/$id/history"
          params={{ id }}
          onClick={onGo}
          className={buttonClass('plain', 'small')}
          title="Show all changes in this notebook"
        >
          <History className="size-3.5" aria-hidden />
          History
        </Link>
      </div>
    </>
  );
}

function below(element: HTMLElement): MenuPosition {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + 4 };
}

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
function useFileMenu({ id, mayWrite, onGo, onRename }: FileMenuInput): FileMenu {
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

function newItems(folder: string, { onAsk, onToday }: Doing): readonly MenuItem[] {
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
function lookingItems({ path, kind, id }: TreeEntry, { onHistory }: Doing): readonly MenuItem[] {
  const copy = { label: 'Copy path', icon: <Copy className={icon} aria-hidden />, run: () => void copyPath(path) };
  if (kind === 'folder') return [copy];
  return [copy, { label: 'Show history', icon: <History className={icon} aria-hidden />, run: () => onHistory(id) }];
}

function changingItems(entry: TreeEntry, { onAsk, onRename }: Doing): readonly MenuItem[] {
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
