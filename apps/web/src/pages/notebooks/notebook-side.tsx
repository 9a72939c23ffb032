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
  Waypoints,
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
import { type Asked, FileDialogs } from './file-dialogs.tsx';
import { marksOf } from './marks.ts';
import { treeOf, useTreeActions } from './tree/tree-actions.ts';
import { folderOf, ROOT, type TreeEntry } from './tree/tree-rows.ts';
import { TreeView } from './tree/tree-view.tsx';

interface NotebookSideProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly onGo: () => void;
}

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
  const selected = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || fileId === undefined) return;
    tree.reveal(current);
    // Selects a file when it is opened, but not when it is moved later.
    if (selected.current !== fileId) tree.select(fileId);
    selected.current = fileId;
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

const sideLinks = [
  { to: '/notebooks/$id/search', label: 'Search', title: 'Search this notebook', icon: Search },
  { to: '/notebooks/$id/graph', label: 'Graph', title: 'Show how the notes link to each other', icon: Waypoints },
  { to: '/notebooks/$id/history', label: 'History', title: 'Show all changes in this notebook', icon: History },
] as const;

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
        {sideLinks.map(({ to, label, title, icon: Icon }) => (
          <Link key={to} to={to} params={{ id }} onClick={onGo} className={buttonClass('plain', 'small')} title={title}>
            <Icon className="size-3.5" aria-hidden />
            {label}
          </Link>
        ))}
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

function useFileMenu({ id, mayWrite, onGo, onRename }: FileMenuInput) {
  const navigate = useNavigate();
  const [asked, ask] = useState<Asked>();
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
  const showHistory = (file: string): void => {
    onGo();
    void navigate({ to: '/notebooks/$id/files/$file/history', params: { id, file } });
  };
  const entry = shown?.entry;
  const folder = entry === undefined ? selectedFolder(id) : folderOf(entry);
  const create = [
    { label: 'Create note', icon: FilePlus, run: () => ask({ what: 'note', folder }) },
    { label: 'Create folder', icon: FolderPlus, run: () => ask({ what: 'folder', folder }) },
  ];
  const itemsFor = (of: TreeEntry): readonly MenuItem[] => [
    { label: 'Copy path', icon: Copy, run: () => void copyPath(of.path) },
    ...(of.kind === 'file' ? [{ label: 'Show history', icon: History, run: () => showHistory(of.id) }] : []),
    ...(mayWrite
      ? [
          { label: 'Rename', hint: 'F2', icon: Pencil, run: () => onRename(of.id) },
          { label: 'Move to …', hint: 'Ctrl X, V', icon: FolderInput, run: () => ask({ what: 'move', entry: of }) },
          { label: 'Delete', hint: 'Del', isDanger: true, icon: Trash2, run: () => ask({ what: 'delete', entry: of }) },
          ...create,
        ]
      : []),
  ];
  return {
    label: entry === undefined ? 'Create' : `Actions for ${entry.name}`,
    at: shown?.at,
    items:
      entry === undefined
        ? [...create, { label: "Open today's note", icon: CalendarDays, run: () => today.mutate() }]
        : itemsFor(entry),
    asked,
    openNew: (at: MenuPosition) => setShown({ at, entry: undefined }),
    openFor: (of: TreeEntry, at: MenuPosition) => setShown({ at, entry: of }),
    askDelete: (of: TreeEntry) => ask({ what: 'delete', entry: of }),
    close,
    answered: () => ask(undefined),
  };
}

function selectedFolder(id: string): string {
  const { folders, active } = treeOf(id).state.get();
  const selected = [...folders.values()].flatMap(({ entries }) => entries).find((each) => each.id === active);
  return selected === undefined ? ROOT : folderOf(selected);
}

async function copyPath(path: string): Promise<void> {
  if (await copyText(path)) say('Path copied');
}
