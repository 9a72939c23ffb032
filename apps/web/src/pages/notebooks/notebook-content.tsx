import { lazy, type ReactNode, Suspense } from 'react';

import { Skeleton } from '../../ui/skeleton.tsx';
import { NotebookFront } from './notebook-front.tsx';

/** What writes comes with the first note that is opened, not with the list of notebooks. */
const NoteView = lazy(async () => ({ default: (await import('./note-view.tsx')).NoteView }));

export type NotebookViewName = 'note' | 'history' | 'search';

interface NotebookContentProps {
  readonly id: string;
  readonly fileId: string | undefined;
  readonly view: NotebookViewName;
}

/** What is opened of a notebook. */
export function NotebookContent({ id, fileId, view }: NotebookContentProps): ReactNode {
  if (fileId === undefined) return <NotebookFront id={id} />;
  return (
    <Suspense fallback={<Skeleton />}>
      {view === 'note' && <NoteView key={fileId} id={id} fileId={fileId} />}
    </Suspense>
  );
}
