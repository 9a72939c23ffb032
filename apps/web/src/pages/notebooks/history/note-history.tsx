import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Version } from '../../../api/types.ts';
import { noteHistoryQuery, noteQuery } from '../../../api/codex-queries.ts';
import { useRows } from '../../../api/use-rows.ts';
import { useFilters } from '../../../lib/filters.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { NotLoaded } from '../../../ui/loaded.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { nameOf } from '../tree/tree-rows.ts';
import { Comparison } from './comparison.tsx';
import { VersionList } from './version-list.tsx';

interface NoteHistoryProps {
  readonly id: string;
  readonly fileId: string;
}

/** Versions of a file: compares any two, and restores one. */
export function NoteHistory({ id, fileId }: NoteHistoryProps): ReactNode {
  const note = useQuery(noteQuery(id, fileId));
  const name = note.data === undefined ? 'a note' : nameOf(note.data.path);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <BackLink to="/notebooks/$id/files/$file" params={{ id, file: fileId }}>
        Back to note
      </BackLink>
      <Page title={`History of ${name}`} description="All versions, including those under earlier names.">
        <Versions id={id} fileId={fileId} />
      </Page>
    </div>
  );
}

function Versions({ id, fileId }: NoteHistoryProps): ReactNode {
  const query = useInfiniteQuery(noteHistoryQuery(id, fileId));
  const { data } = query;
  const { rows: versions } = useRows(query);
  const [{ to = '', from = '' }, change] = useFilters();
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  const chosen = versions.find(({ sha }) => sha === to) ?? versions[0];
  if (chosen === undefined) return <NoVersions />;
  const base =
    from === 'none' ? undefined : (versions.find(({ sha }) => sha === from) ?? versionBefore(versions, chosen));
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <Card title="Versions" isFlush>
        <VersionList
          versions={versions}
          chosen={chosen.sha}
          base={base?.sha}
          onChoose={(sha) => change({ to: sha, from: '' }, true)}
          onBase={(sha) => change({ to: chosen.sha, from: sha }, true)}
        />
        <MoreButton query={query} size="small" className="grid justify-items-center border-t border-line p-3">
          Show older
        </MoreButton>
      </Card>
      <Comparison id={id} fileId={fileId} version={chosen} base={base} isNewest={chosen === versions[0]} />
    </div>
  );
}

function versionBefore(versions: readonly Version[], version: Version): Version | undefined {
  return versions[versions.indexOf(version) + 1];
}

function NoVersions(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={History} title="No versions yet">
        <p>A version appears a few seconds after a change, when the file is committed.</p>
      </EmptyState>
    </Card>
  );
}
