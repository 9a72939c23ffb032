import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History, RotateCcw } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';

import { codexApi } from '../../../api/clients.ts';
import { noteHistoryQuery, noteQuery, versionQuery } from '../../../api/codex-queries.ts';
import type { Version } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useRows } from '../../../api/use-rows.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count, dateAndTime, exactTime } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Tag, Time } from '../../../ui/badge.tsx';
import { ConfirmButton } from '../../../ui/dialog.tsx';
import { BackLink, Card, EmptyState, Failure, MoreButton, NotLoaded, Page, Skeleton } from '../../../ui/page.tsx';
import { nameOf } from '../tree/tree-rows.ts';
import { sessionsOf } from './sessions.ts';

interface NoteHistoryProps {
  readonly id: string;
  readonly fileId: string;
}

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

interface VersionListProps {
  readonly versions: readonly Version[];
  readonly chosen: string;
  readonly base: string | undefined;
  readonly onChoose: (sha: string) => void;
  readonly onBase: (sha: string) => void;
}

/**
 * Lists versions by writing session, newest first. Shows the newest version of each session, and the others on request.
 * One version is selected; another can be chosen for a comparison.
 */
function VersionList({ versions, ...choices }: VersionListProps): ReactNode {
  const { chosen, base } = choices;
  return (
    <ol className="max-h-[60vh] divide-y divide-line overflow-y-auto border-t border-line">
      {sessionsOf(versions).map(({ newest, earlier }) => (
        <li key={newest.sha}>
          <VersionRow version={newest} {...choices} />
          {earlier.length > 0 && (
            <details open={earlier.some(({ sha }) => sha === chosen || sha === base)}>
              <summary className="px-4 pb-2 text-[13px] text-muted">
                {count(earlier.length, 'earlier version')} of this session
              </summary>
              <ol className="divide-y divide-line border-t border-line pl-4">
                {earlier.map((version) => (
                  <li key={version.sha}>
                    <VersionRow version={version} {...choices} />
                  </li>
                ))}
              </ol>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

interface VersionRowProps extends Omit<VersionListProps, 'versions'> {
  readonly version: Version;
}

function VersionRow({ version, chosen, base, onChoose, onBase }: VersionRowProps): ReactNode {
  const { sha, author, at, subject } = version;
  return (
    <div className={sha === chosen ? 'bg-accent-soft' : ''}>
      <button
        type="button"
        aria-pressed={sha === chosen}
        onClick={() => onChoose(sha)}
        className="grid w-full gap-0.5 px-4 pt-2.5 pb-1 text-left -outline-offset-2"
      >
        <span className="font-medium break-words">{subject}</span>
        <span className="flex flex-wrap gap-x-2 text-[13px] text-muted">
          <span>{author}</span>
          <Time at={at} />
          <span className="font-mono text-xs">{sha.slice(0, 8)}</span>
        </span>
      </button>
      <div className="flex min-h-8 items-center px-4 pb-1.5">
        {sha === base ? (
          <Tag>base</Tag>
        ) : (
          sha !== chosen && (
            <button
              type="button"
              onClick={() => onBase(sha)}
              className="text-[13px] font-medium text-accent-strong hover:underline"
            >
              Compare<span className="sr-only"> with {subject}</span>
            </button>
          )
        )}
      </div>
    </div>
  );
}

const SideBySide = lazyPart(async () => (await import('../../../ui/side-by-side-view.tsx')).SideBySideView);

interface ComparisonProps {
  readonly id: string;
  readonly fileId: string;
  readonly version: Version;
  /** Undefined when this is the first version of the file. */
  readonly base: Version | undefined;
  readonly isNewest: boolean;
}

function Comparison({ id, fileId, version, base, isNewest }: ComparisonProps): ReactNode {
  const after = useQuery(versionQuery(id, fileId, version.sha));
  const before = useQuery({ ...versionQuery(id, fileId, base?.sha ?? ''), enabled: base !== undefined });
  const error = after.error ?? before.error;
  const old = base === undefined ? '' : before.data;
  return (
    <Card
      title={version.subject}
      description={`${version.author}, ${exactTime(Date.parse(version.at))}`}
      isFlush
      actions={!isNewest && <Restore id={id} fileId={fileId} version={version} />}
    >
      <div className="border-t border-line">
        {error !== null ? (
          <Failure error={error} />
        ) : after.data === undefined || old === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <Suspense fallback={<Skeleton lines={6} />}>
            <SideBySide
              before={old}
              after={after.data}
              beforeName={base === undefined ? 'Did not exist' : nameOfVersion(base)}
              afterName={nameOfVersion(version)}
            />
          </Suspense>
        )}
      </div>
    </Card>
  );
}

function nameOfVersion({ at, sha }: Version): string {
  return `${dateAndTime(Date.parse(at))} · ${sha.slice(0, 8)}`;
}

function Restore({ id, fileId, version }: Omit<ComparisonProps, 'base' | 'isNewest'>): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const restore = useAction({
    failed: 'Could not restore this version',
    done: () => 'Restored the version as a new change',
    touches: ['codex'],
    async run() {
      const params = { notebook: id, file: fileId };
      const body = { commit: version.sha };
      await codexApi.POST('/notebooks/{notebook}/files/{file}/restore', { params, query: { wait: 30 }, body });
    },
  });
  if (!mayWrite) return null;
  return (
    <ConfirmButton
      size="small"
      icon={RotateCcw}
      title="Restore this version?"
      action="Restore version"
      mutation={restore}
      explanation={
        <p>
          Restores the file as of {exactTime(Date.parse(version.at))}. The current version stays in the history, so you
          can restore it later.
        </p>
      }
    >
      Restore this version
    </ConfirmButton>
  );
}
