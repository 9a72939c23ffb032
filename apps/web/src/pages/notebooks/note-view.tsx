import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { History, PanelRight, Waypoints } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { linksQuery, noteQuery } from '../../api/codex-queries.ts';
import type { NoteFile, NoteLinks } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { byteSize } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useMedia } from '../../lib/media.ts';
import { useMay } from '../../lib/permissions.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { setTabTitle } from '../../lib/tab-title.ts';
import { Badge, Time } from '../../ui/badge.tsx';
import { Button, buttonClass, CopyButton } from '../../ui/button.tsx';
import { LinkedFrom } from '../../ui/cross-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Loaded, Skeleton } from '../../ui/page.tsx';
import { LinkGraph } from './details/link-graph.tsx';
import { DetailsPart, Properties } from './details/properties.tsx';
import { nameOf, parentOf } from './tree/tree-rows.ts';

const NoteEditor = lazyPart(async () => (await import('./editor/note-editor.tsx')).NoteEditor);

/** Undefined until the user toggles the details. Until then, they are visible on wide screens. */
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
    setTabTitle(name);
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

function NoteDetails({ id, note }: { readonly id: string; readonly note: NoteFile }): ReactNode {
  return (
    <aside aria-label="Details" className="grid min-w-0 content-start gap-5 text-[13px]">
      <Properties id={id} note={note} />
      {note.tags.length > 0 && (
        <DetailsPart title="Tags">
          <ul className="flex flex-wrap gap-1.5">
            {note.tags.map((tag) => (
              <li key={tag}>
                <Link
                  to="/notebooks/$id/search"
                  params={{ id }}
                  search={{ tag }}
                  className="rounded-md border border-line bg-sunken px-1.5 py-0.5 text-xs text-muted hover:text-text"
                >
                  #{tag}
                </Link>
              </li>
            ))}
          </ul>
        </DetailsPart>
      )}
      <Links id={id} note={note} />
      <FileFacts note={note} />
    </aside>
  );
}

function Links({ id, note }: { readonly id: string; readonly note: NoteFile }): ReactNode {
  const links = useQuery(linksQuery(id, note.id));
  return (
    <Loaded query={links}>
      {(found) => (
        <>
          <Parts id={id} links={found} />
          <LinkedFrom path={`/notebooks/${id}/files/${encodeURIComponent(note.id)}`} />
          <GraphButton id={id} note={note} links={found} />
        </>
      )}
    </Loaded>
  );
}

interface GraphButtonProps {
  readonly id: string;
  readonly note: NoteFile;
  readonly links: NoteLinks;
}

/** Opens the link graph in a dialog, because the details panel is too narrow for it. */
function GraphButton({ id, note, links }: GraphButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (links.incoming.length + links.outgoing.length === 0) return null;
  return (
    <div>
      <Button size="small" icon={Waypoints} onClick={() => setOpen(true)}>
        Link graph
      </Button>
      <Dialog title={`Links of ${nameOf(note.path)}`} isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <LinkGraph id={id} note={note} links={links} />
      </Dialog>
    </div>
  );
}

function Parts({ id, links: { incoming, outgoing } }: { readonly id: string; readonly links: NoteLinks }): ReactNode {
  const found = new Map(outgoing.flatMap(({ file }) => (file === null ? [] : [[file.id, file]])));
  const missing = [...new Set(outgoing.flatMap(({ file, target }) => (file === null ? [target] : [])))];
  return (
    <>
      <DetailsPart title="Incoming links" count={incoming.length}>
        {incoming.length === 0 && <p className="text-muted">No incoming links</p>}
        <ul className="grid gap-2.5">
          {incoming.map(({ file, line, context }) => (
            <li key={`${file.id} ${line}`} className="grid min-w-0 gap-0.5">
              <ToNote id={id} file={file} />
              <span className="line-clamp-3 break-words text-muted">{context}</span>
            </li>
          ))}
        </ul>
      </DetailsPart>
      <DetailsPart title="Outgoing links" count={found.size}>
        {found.size === 0 && <p className="text-muted">No outgoing links</p>}
        <ul className="grid gap-1">
          {[...found.values()].map((file) => (
            <li key={file.id} className="min-w-0">
              <ToNote id={id} file={file} />
            </li>
          ))}
        </ul>
      </DetailsPart>
      {missing.length > 0 && (
        <DetailsPart title="Broken links" count={missing.length}>
          <ul className="grid gap-1.5">
            {missing.map((target) => (
              <li key={target} className="flex min-w-0 items-center gap-2">
                <span className="min-w-0 flex-1 break-words">{target}</span>
                <CreateNote id={id} target={target} />
              </li>
            ))}
          </ul>
        </DetailsPart>
      )}
    </>
  );
}

interface Linked {
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
}

function ToNote({ id, file }: { readonly id: string; readonly file: Linked }): ReactNode {
  return (
    <Link
      to="/notebooks/$id/files/$file"
      params={{ id, file: file.id }}
      title={file.path}
      className="block truncate font-medium text-accent-strong hover:underline"
    >
      {file.title ?? file.path}
    </Link>
  );
}

function CreateNote({ id, target }: { readonly id: string; readonly target: string }): ReactNode {
  const navigate = useNavigate();
  const mayWrite = useMay('app:codex:write');
  const create = useAction({
    failed: `Could not create ${target}`,
    touches: ['codex'],
    async run() {
      const { data } = await codexApi.POST('/notebooks/{notebook}/notes', {
        params: { notebook: id },
        body: { path: pathOf(target) },
      });
      await navigate({ to: '/notebooks/$id/files/$file', params: { id, file: data.id } });
    },
  });
  if (!mayWrite) return null;
  return (
    <Button size="small" isBusy={create.isPending} onClick={() => create.mutate()}>
      Create note<span className="sr-only"> {target}</span>
    </Button>
  );
}

/** Removes the heading and a leading `/` or `./`: `./garden#beds` becomes `garden`. */
function pathOf(target: string): string {
  return target.replace(/#.*$/u, '').replace(/^\.?\//u, '');
}

const HASH_SHOWN = 12;

function FileFacts({ note }: { readonly note: NoteFile }): ReactNode {
  const { size, content_type: type, created_at: created, updated_at: updated, hash } = note;
  return (
    <DetailsPart title="File">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact title="Size">{byteSize(size)}</Fact>
        <Fact title="Type">{type}</Fact>
        <Fact title="Changed">
          <Time at={updated} />
        </Fact>
        <Fact title="Created">
          <Time at={created} />
        </Fact>
        <Fact title="SHA-256">
          <span className="flex items-center">
            <span className="font-mono text-xs">{hash.slice(0, HASH_SHOWN)}…</span>
            <CopyButton text={hash} label="Copy SHA-256" />
          </span>
        </Fact>
        <Fact title="History">
          <GitState note={note} />
        </Fact>
      </dl>
    </DetailsPart>
  );
}

function GitState({ note }: { readonly note: NoteFile }): ReactNode {
  const { git_tracked: isTracked, git_reason: reason, last_commit_hash: commit } = note;
  if (!isTracked) {
    return (
      <span className="grid justify-items-start gap-1">
        <Badge tone="warn">Ignored by git</Badge>
        {reason !== null && <span className="break-words text-muted">{reason}</span>}
      </span>
    );
  }
  return commit === null ? (
    <Badge tone="busy">Not committed yet</Badge>
  ) : (
    <span className="font-mono text-xs">{commit.slice(0, 8)}</span>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{title}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
