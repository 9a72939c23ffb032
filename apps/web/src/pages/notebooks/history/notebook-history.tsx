import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { commitQuery, notebookHistoryQuery, notebooksQuery } from '../../../api/codex-queries.ts';
import type { Version } from '../../../api/types.ts';
import { patchLines } from '../../../lib/diff.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { PatchView } from '../../../ui/diff-view.tsx';
import { Card, EmptyState, Loaded, MoreButton, NotLoaded, Page } from '../../../ui/page.tsx';
import { type Moment, Timeline } from '../../../ui/timeline.tsx';

const PATHS_SHOWN = 4;

export function NotebookHistory({ id }: { readonly id: string }): ReactNode {
  const { data: notebooks } = useQuery(notebooksQuery);
  const name = notebooks?.find((each) => String(each.id) === id)?.name ?? 'the notebook';
  return (
    <Page
      title={`History of ${name}`}
      description="All commits and their changes. Changes are committed in batches every few seconds."
    >
      <Card>
        <Commits id={id} />
      </Card>
    </Page>
  );
}

function Commits({ id }: { readonly id: string }): ReactNode {
  const query = useInfiniteQuery(notebookHistoryQuery(id));
  const { data } = query;
  const [{ commit = '' }, change] = useFilters();
  const moments = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.data)
        .map((each) =>
          momentOf(id, each, each.sha === commit, () => change({ commit: each.sha === commit ? '' : each.sha })),
        ),
    [data, id, commit, change],
  );
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (moments.length === 0) {
    return (
      <EmptyState icon={History} title="No commits yet">
        <p>A commit appears a few seconds after a change.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Timeline moments={moments} />
      <MoreButton query={query} size="small" className="mt-5 grid justify-items-center">
        Show older
      </MoreButton>
    </>
  );
}

function momentOf(id: string, commit: Version, isOpen: boolean, onToggle: () => void): Moment {
  const { sha, at, author, subject, changes, event_ids: events } = commit;
  return {
    id: sha,
    at,
    title: (
      <button type="button" aria-expanded={isOpen} onClick={onToggle} className="text-left break-words hover:underline">
        {subject}
      </button>
    ),
    detail: (
      <div className="grid min-w-0 gap-2 text-[13px] text-muted">
        <p className="flex flex-wrap gap-x-3">
          <span>{events.length === 0 ? `${author}, committed manually` : author}</span>
          <span className="font-mono text-xs">{sha.slice(0, 8)}</span>
          <span>{count(changes.length, 'file')}</span>
        </p>
        {isOpen ? <CommitDetail id={id} sha={sha} /> : <Paths commit={commit} />}
      </div>
    ),
  };
}

function Paths({ commit: { changes } }: { readonly commit: Version }): ReactNode {
  return (
    <ul className="grid gap-1">
      {changes.slice(0, PATHS_SHOWN).map(({ path, change, from }) => (
        <li key={path} className="flex min-w-0 flex-wrap items-center gap-2">
          <ChangeBadge change={change} />
          <span className="min-w-0 break-all text-text">{from === null ? path : `${from} → ${path}`}</span>
        </li>
      ))}
      {changes.length > PATHS_SHOWN && <li>{count(changes.length - PATHS_SHOWN, 'more file')}</li>}
    </ul>
  );
}

const badges: Readonly<Record<Version['changes'][number]['change'], { readonly tone: Tone; readonly word: string }>> = {
  added: { tone: 'added', word: 'Added' },
  modified: { tone: 'changed', word: 'Changed' },
  renamed: { tone: 'changed', word: 'Renamed' },
  deleted: { tone: 'removed', word: 'Deleted' },
};

function ChangeBadge({ change }: { readonly change: Version['changes'][number]['change'] }): ReactNode {
  const { tone, word } = badges[change];
  return <Badge tone={tone}>{word}</Badge>;
}

function CommitDetail({ id, sha }: { readonly id: string; readonly sha: string }): ReactNode {
  const query = useQuery(commitQuery(id, sha));
  return (
    <Loaded query={query}>
      {({ files, file_count: total }) => (
        <ul className="grid gap-3">
          {files.map(({ path, change, from, diff, is_binary: isBinary, is_cut: isCut }) => (
            <li key={path} className="grid min-w-0 gap-1.5">
              <span className="flex flex-wrap items-center gap-2">
                <ChangeBadge change={change} />
                {from !== null && <span className="break-all">was {from}</span>}
                {isBinary && <span>binary</span>}
                {isCut && <span>truncated</span>}
                {diff === null && !isBinary && <span>too long to show</span>}
              </span>
              <PatchView path={path} lines={patchLines(diff ?? '')} isOpen={files.length <= PATHS_SHOWN} />
            </li>
          ))}
          {total > files.length && <li>{count(total - files.length, 'more file')} not shown</li>}
        </ul>
      )}
    </Loaded>
  );
}
