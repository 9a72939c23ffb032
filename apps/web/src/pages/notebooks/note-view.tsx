import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { History, PanelRight } from 'lucide-react';
import { type ReactNode, Suspense, useEffect } from 'react';

import { lazyPart } from '../../lib/lazy-part.ts';
import { noteQuery } from '../../api/codex-queries.ts';
import type { NoteFile } from '../../api/types.ts';
import { useMedia } from '../../lib/media.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure, Skeleton } from '../../ui/loaded.tsx';
import { NoteDetails } from './details/note-details.tsx';
import { nameOf, parentOf } from './tree/tree-rows.ts';

/** Loaded with the first note. */
const NoteEditor = lazyPart(async () => (await import('./editor/note-editor.tsx')).NoteEditor);

/** Undefined until the user toggles it; then the width decides. */
const wantsDetails = createStore<boolean | undefined>(undefined);

interface NoteViewProps {
  readonly id: string;
  readonly fileId: string;
}

export function NoteView({ id, fileId }: NoteViewProps): ReactNode {
  const note = useQuery(noteQuery(id, fileId));
  const isWide = useMedia('(min-width: 96rem)');
  const isShown = useStore(wantsDetails) ?? isWide;
  const name = note.data === undefined ? 'Note' : nameOf(note.data.path);
  useEffect(() => {
    document.title = `${name} · Holdfast`;
  }, [name]);
  if (note.data === undefined && note.isError) {
    return (
      <section className="rounded-xl border border-line bg-surface">
        <h1 className="sr-only">Note</h1>
        <Failure error={note.error} onRetry={() => void note.refetch()} />
      </section>
    );
  }
  return (
    <section aria-label={name} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
      <NoteHead id={id} fileId={fileId} note={note.data} isShown={isShown} />
      <div className={`grid gap-6 ${isShown ? 'xl:grid-cols-[minmax(0,1fr)_18rem]' : ''}`}>
        <div className="min-w-0">
          <Suspense fallback={<Skeleton lines={8} />}>
            <NoteEditor notebookId={id} fileId={fileId} />
          </Suspense>
        </div>
        {isShown && note.data !== undefined && <NoteDetails id={id} note={note.data} />}
      </div>
    </section>
  );
}

interface NoteHeadProps extends NoteViewProps {
  readonly note: NoteFile | undefined;
  readonly isShown: boolean;
}

function NoteHead({ id, fileId, note, isShown }: NoteHeadProps): ReactNode {
  const path = note?.path ?? '';
  return (
    <header className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-48">
        {parentOf(path) !== '' && <p className="text-[13px] break-words text-muted">{parentOf(path)}/</p>}
        <h1 className="text-xl font-semibold tracking-tight break-words">
          {note === undefined ? 'Note' : nameOf(path)}
        </h1>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/notebooks/$id/files/$file/history"
          params={{ id, file: fileId }}
          className={buttonClass('plain', 'small')}
        >
          <History className="size-3.5" aria-hidden />
          History
        </Link>
        <Button size="small" aria-pressed={isShown} icon={PanelRight} onClick={() => wantsDetails.set(!isShown)}>
          Details
        </Button>
      </div>
    </header>
  );
}
