import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { History, Plus, Search } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { noteQuery, notebooksQuery, recentQuery } from '../../api/codex-queries.ts';
import { useMay } from '../../lib/permissions.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Menu, type MenuPosition } from '../../ui/menu.tsx';
import { FileDialogs } from './file-dialogs.tsx';
import { marksOf } from './marks.ts';
import { TreeView } from './tree/tree-view.tsx';
import { treeOf } from './tree/trees.ts';
import { useTreeActions } from './tree/use-tree-actions.ts';
import { useFileMenu } from './use-file-menu.ts';

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
            icon={<Plus className="size-3.5" aria-hidden />}
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
