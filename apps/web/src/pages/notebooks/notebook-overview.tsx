import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilePlus, Pause, Play, RefreshCw, Rows3, Search } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { codexApi } from '../../api/clients.ts';
import { notebooksQuery, notebookStatusQuery, recentQuery } from '../../api/codex-queries.ts';
import type { CodexEvent, NotebookStatus } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, Time } from '../../ui/badge.tsx';
import { Button, buttonClass, CopyButton } from '../../ui/button.tsx';
import { Card, EmptyState, Loaded, Page } from '../../ui/page.tsx';
import { authorOf } from '../queue/describe-operation.ts';
import { describeStatus } from './describe-status.ts';
import { Remotes } from './remotes.tsx';

export function NotebookOverview({ id }: { readonly id: string }): ReactNode {
  const notebooks = useQuery(notebooksQuery);
  const notebook = notebooks.data?.find((each) => String(each.id) === id);
  return (
    <Page
      title={notebook?.name ?? 'Notebook'}
      description={
        notebook !== undefined && (
          <span className="flex items-center">
            <span className="min-w-0 font-mono text-xs break-all">{notebook.path}</span>
            <CopyButton text={notebook.path} label="Copy folder path" />
          </span>
        )
      }
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to="/notebooks/$id/search" params={{ id }} className={buttonClass('plain', 'small')}>
            <Search className="size-3.5" aria-hidden />
            Search
          </Link>
          <Link to="/queue" search={{ notebook: id }} className={buttonClass('plain', 'small')}>
            <Rows3 className="size-3.5" aria-hidden />
            Queue
          </Link>
        </div>
      }
    >
      <Loaded query={notebooks}>
        {() =>
          notebook === undefined ? (
            <p className="text-muted">This notebook does not exist. It may have been removed.</p>
          ) : (
            <>
              <Status id={id} />
              <RecentChanges id={id} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Status({ id }: { readonly id: string }): ReactNode {
  const status = useQuery(notebookStatusQuery(id));
  return (
    <Loaded query={status}>
      {(found) => (
        <>
          <div className="grid gap-3 rounded-xl border border-line bg-surface p-5">
            <StatusLine status={found} />
            <Problems id={id} status={found} />
          </div>
          <FileList
            title="Not in the notebook"
            description="Files in the folder that a notebook cannot hold. They stay unchanged."
            files={found.watcher?.skipped ?? []}
          />
          <FileList
            title="Not in git"
            description="Files that are not committed to git, so they have no history."
            files={found.git.untracked}
          />
          <Remotes id={id} status={found} />
        </>
      )}
    </Loaded>
  );
}

export function StatusLine({ status }: { readonly status: NotebookStatus }): ReactNode {
  const { tone, word, says } = describeStatus(status);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={tone}>{word}</Badge>
      <span className="min-w-0 break-words">{says}</span>
    </p>
  );
}

interface FileListProps {
  readonly title: string;
  readonly description: string;
  readonly files: readonly { readonly path: string; readonly reason: string }[];
}

function FileList({ title, description, files }: FileListProps): ReactNode {
  if (files.length === 0) return null;
  return (
    <Card title={title} description={description}>
      <ul className="grid gap-1 text-[13px]">
        {files.map(({ path, reason }) => (
          <li key={path} className="break-words">
            <span className="font-mono text-xs">{path}</span> {reason}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RecentChanges({ id }: { readonly id: string }): ReactNode {
  const recent = useQuery(recentQuery(id));
  const files = useMemo(() => recentChanges(recent.data ?? []), [recent.data]);
  return (
    <Card title="Recent changes" isFlush>
      <Loaded query={recent}>
        {() =>
          files.length === 0 ? (
            <EmptyState icon={FilePlus} title="No recent changes">
              <p>Create a note here, or edit the files with any program. Changes appear immediately.</p>
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {files.map(({ fileId, path, at, author }) => (
                <li key={fileId}>
                  <Link
                    to="/notebooks/$id/files/$file"
                    params={{ id, file: fileId }}
                    className="flex flex-wrap items-baseline gap-x-4 px-5 py-2.5 -outline-offset-2 hover:bg-sunken"
                  >
                    <span className="min-w-0 flex-1 basis-48 font-medium break-words">{path}</span>
                    <span className="text-[13px] text-muted">
                      {authorOf(author)} · <Time at={at} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Problems({ id, status }: { readonly id: string; readonly status: NotebookStatus }): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const compare = useAction({
    failed: 'Could not scan the folder',
    touches: ['codex'],
    done: ({ seen, queued }) =>
      `Scanned ${count(seen, 'file')}: ${queued === 0 ? 'no changes' : count(queued, 'change')}`,
    run: async () => (await codexApi.POST('/notebooks/{notebook}/reconcile', { params: { notebook: id } })).data,
  });
  const commit = useAction({
    failed: 'Could not commit',
    touches: ['codex'],
    done: ({ commit_sha: sha }) => (sha === null ? 'Nothing to commit' : `Committed as ${sha.slice(0, 8)}`),
    run: async () => (await codexApi.POST('/events/commit', { body: { notebook: id } })).data,
  });
  const isPaused = status.paused !== null;
  const pause = useAction({
    failed: isPaused ? 'Could not resume' : 'Could not pause',
    touches: ['codex'],
    done: () => (isPaused ? 'Resumed' : 'Paused: you can change the git branch now'),
    run: async () => {
      const path = isPaused ? '/notebooks/{notebook}/resume' : '/notebooks/{notebook}/pause';
      await codexApi.POST(path, { params: { notebook: id } });
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {status.pending > 0 && (
        <Link to="/queue" search={{ notebook: id }} className={buttonClass('plain', 'small')}>
          Show queue
        </Link>
      )}
      {mayWrite && status.git.pending > 0 && (
        <Button size="small" isBusy={commit.isPending} onClick={() => commit.mutate()}>
          Commit now
        </Button>
      )}
      {mayWrite && status.paused?.is_manual !== false && (
        <Button size="small" icon={isPaused ? Play : Pause} isBusy={pause.isPending} onClick={() => pause.mutate()}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      {mayWrite && (
        <Button size="small" icon={RefreshCw} isBusy={compare.isPending} onClick={() => compare.mutate()}>
          Scan folder
        </Button>
      )}
      {status.git.last_commit !== null && (
        <span className="font-mono text-xs text-muted">last commit {status.git.last_commit.slice(0, 8)}</span>
      )}
    </div>
  );
}

interface ChangedFile {
  readonly fileId: string;
  readonly path: string;
  readonly at: string;
  readonly author: string;
}

const SHOWN = 12;

export function recentChanges(events: readonly CodexEvent[]): readonly ChangedFile[] {
  const seen = new Set<string>();
  const files: ChangedFile[] = [];
  for (const event of events.toSorted((left, right) => right.id - left.id)) {
    const fileId = idOf(event);
    const path = event.dest_path ?? event.path;
    if (fileId === undefined || path === null || event.status !== 'completed' || seen.has(fileId)) continue;
    if (event.result?.['unchanged'] === true) continue;
    seen.add(fileId);
    if (event.event_type === 'delete') continue;
    files.push({ fileId, path, at: event.processed_at ?? event.created_at, author: event.author });
    if (files.length === SHOWN) break;
  }
  return files;
}

function idOf({ file_id: fileId, result, operation }: CodexEvent): string | undefined {
  if (operation['kind'] === 'folder') return undefined;
  const found = fileId ?? result?.['file_id'];
  return typeof found === 'string' ? found : undefined;
}
