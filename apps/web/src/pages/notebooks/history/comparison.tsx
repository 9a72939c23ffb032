import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';

import { codexApi } from '../../../api/clients.ts';
import type { Version } from '../../../api/types.ts';
import { versionQuery } from '../../../api/codex-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { dateAndTime, exactTime } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Loaded when there is something to compare. */
const SideBySide = lazy(async () => ({ default: (await import('../../../ui/side-by-side-view.tsx')).SideBySideView }));

interface ComparisonProps {
  readonly id: string;
  readonly fileId: string;
  readonly version: Version;
  /** Undefined when this is the first version of the file. */
  readonly base: Version | undefined;
  readonly isNewest: boolean;
}

export function Comparison({ id, fileId, version, base, isNewest }: ComparisonProps): ReactNode {
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
      icon={<RotateCcw className="size-3.5" aria-hidden />}
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
