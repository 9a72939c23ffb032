import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';

import { notebooksQuery } from '../../api/codex-queries.ts';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** What writes comes with the first note that is opened, not with the list of notebooks. */
const NoteEditor = lazy(async () => ({ default: (await import('./editor/note-editor.tsx')).NoteEditor }));

export type NotebookViewName = 'note' | 'history' | 'search';

interface NotebookLayoutProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

/** One notebook: the tree of its files at the left, what is opened at the right. */
export function NotebookLayout({ id, fileId, view }: NotebookLayoutProps): ReactNode {
  const { data: notebooks } = useQuery(notebooksQuery);
  const name = notebooks?.find((each) => String(each.id) === id)?.name ?? 'Notebook';
  return (
    <Page title={name}>
      {fileId !== undefined && view === 'note' && (
        <Suspense fallback={<Skeleton />}>
          <NoteEditor key={fileId} notebookId={id} fileId={fileId} />
        </Suspense>
      )}
    </Page>
  );
}
