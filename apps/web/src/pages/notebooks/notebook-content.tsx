import { lazy, type ReactNode, Suspense } from 'react';

import { Skeleton } from '../../ui/skeleton.tsx';
import { NotebookOverview } from './notebook-overview.tsx';

/** Each is loaded when it is first opened. */
const NoteView = lazy(async () => ({ default: (await import('./note-view.tsx')).NoteView }));
const NoteHistory = lazy(async () => ({ default: (await import('./history/note-history.tsx')).NoteHistory }));
const NotebookHistory = lazy(async () => ({
  default: (await import('./history/notebook-history.tsx')).NotebookHistory,
}));

const SearchView = lazy(async () => ({ default: (await import('./search/search-view.tsx')).SearchView }));

export type NotebookViewName = 'note' | 'history' | 'search';

interface NotebookContentProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

export function NotebookContent(props: NotebookContentProps): ReactNode {
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
  return view === 'history' ? <NotebookHistory id={id} /> : <NotebookOverview id={id} />;
}
