import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText, FolderTree, Search, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { linkNamesQuery } from '../../api/codex-queries.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useMedia } from '../../lib/media.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Finder, FinderDialog } from '../../ui/finder.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { onCodexEvents, onCodexGap } from './codex-stream.ts';
import { NotebookOverview } from './notebook-overview.tsx';
import { NotebookSide } from './notebook-side.tsx';
import { followEvents, treeOf } from './tree/tree-actions.ts';

interface NotebookLayoutProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

/** A notebook, with the file tree on the left (on narrow screens, in a drawer) and the open file on the right. */
export function NotebookLayout({ id, fileId, view }: NotebookLayoutProps): ReactNode {
  const isWide = useMedia('(min-width: 64rem)');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const stopEvents = onCodexEvents((events) => followEvents(id, events));
    const stopGaps = onCodexGap(() => treeOf(id).refreshAll());
    return () => {
      stopEvents();
      stopGaps();
    };
  }, [id]);
  const side = <NotebookSide id={id} fileId={fileId} onGo={() => setOpen(false)} />;
  return (
    <div className="mx-auto grid w-full max-w-[110rem] grid-cols-[minmax(0,1fr)] gap-4 lg:-my-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-6 print:block">
      {isWide ? (
        <aside aria-label="Files" className="sticky top-18 flex print:hidden h-[calc(100dvh-5.5rem)] min-w-0 flex-col">
          {side}
        </aside>
      ) : (
        <>
          <div className="print:hidden">
            <Button size="small" icon={FolderTree} onClick={() => setOpen(true)}>
              Files
            </Button>
          </div>
          <FilesDrawer isOpen={isOpen} onClose={() => setOpen(false)}>
            {side}
          </FilesDrawer>
        </>
      )}
      <div className="min-w-0 self-start">
        <NotebookContent id={id} fileId={fileId} view={view} />
      </div>
      <Switcher id={id} />
    </div>
  );
}

interface FilesDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function FilesDrawer({ isOpen, onClose, children }: FilesDrawerProps): ReactNode {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      aria-label="Files"
      className="fixed inset-y-0 left-0 z-40 flex w-80 max-w-[90vw] flex-col border-r border-line bg-surface p-3"
    >
      <div className="flex justify-end">
        <IconButton icon={X} label="Close files" onClick={onClose} />
      </div>
      {children}
    </Modal>
  );
}

const NoteView = lazyPart(async () => (await import('./note-view.tsx')).NoteView);
const NoteHistory = lazyPart(async () => (await import('./history/note-history.tsx')).NoteHistory);
const NotebookGraph = lazyPart(async () => (await import('./details/link-graph.tsx')).NotebookGraph);
const NotebookHistory = lazyPart(async () => (await import('./history/notebook-history.tsx')).NotebookHistory);

const SearchView = lazyPart(async () => (await import('./search/search-view.tsx')).SearchView);

export type NotebookViewName = 'note' | 'graph' | 'history' | 'search';

interface NotebookContentProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

function NotebookContent(props: NotebookContentProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton />}>
      <Content {...props} />
    </Suspense>
  );
}

function Content({ id, fileId, view }: NotebookContentProps): ReactNode {
  if (fileId !== undefined) {
    return view === 'history' ? (
      <NoteHistory key={fileId} id={id} fileId={fileId} />
    ) : (
      <NoteView key={fileId} id={id} fileId={fileId} />
    );
  }
  if (view === 'search') return <SearchView id={id} />;
  if (view === 'graph') return <NotebookGraph id={id} />;
  return view === 'history' ? <NotebookHistory id={id} /> : <NotebookOverview id={id} />;
}

type Choice =
  | { readonly kind: 'note'; readonly id: string; readonly path: string; readonly title: string | null }
  | { readonly kind: 'search' };

/** Opens with Ctrl+P and finds a note by part of its name. */
function Switcher({ id }: { readonly id: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
  return (
    <FinderDialog label="Open note" isOpen={isOpen} onOpenChange={setOpen}>
      <Names id={id} onDone={() => setOpen(false)} />
    </FinderDialog>
  );
}

function Names({ id, onDone }: { readonly id: string; readonly onDone: () => void }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: names = [], isPlaceholderData, isPending } = useQuery(linkNamesQuery(id, text.trim()));
  const found: readonly Choice[] = [
    ...names.map((name) => ({ kind: 'note', ...name }) as const),
    ...(text.trim() === '' ? [] : [{ kind: 'search' } as const]),
  ];
  return (
    <Finder
      label="Note name"
      text={text}
      onText={setText}
      found={found}
      isStale={isPlaceholderData || isPending}
      keyOf={(choice) => (choice.kind === 'note' ? choice.id : 'search')}
      none="Type part of a name."
      render={(choice) => <Row choice={choice} text={text} />}
      onChoose={(choice) => {
        onDone();
        if (choice.kind === 'search')
          void navigate({ to: '/notebooks/$id/search', params: { id }, search: { q: text } });
        else void navigate({ to: '/notebooks/$id/files/$file', params: { id, file: choice.id } });
      }}
    />
  );
}

function Row({ choice, text }: { readonly choice: Choice; readonly text: string }): ReactNode {
  if (choice.kind === 'search') {
    return (
      <>
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="min-w-0 truncate">Search the text of all notes for “{text.trim()}”</span>
      </>
    );
  }
  const name = choice.path.slice(choice.path.lastIndexOf('/') + 1);
  return (
    <>
      <FileText className="size-4 shrink-0" aria-hidden />
      <span className="grid min-w-0 flex-1 py-1">
        <span className="truncate">{choice.title ?? name}</span>
        <span className="truncate text-xs text-muted">{choice.path}</span>
      </span>
    </>
  );
}
