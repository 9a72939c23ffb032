import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { codexApi, type Version } from '../../../api/codex-client.ts';
import { versionQuery } from '../../../api/codex-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { dateAndTime, exactTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** What finds the differences comes when there are some to be found. */
const SideBySide = lazy(async () => ({ default: (await import('../../../ui/side-by-side-view.tsx')).SideBySideView }));

interface ComparisonProps {
  readonly id: string;
  readonly fileId: string;
  readonly version: Version;
  /** Undefined when the file begins with this version. */
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
              beforeName={base === undefined ? 'Not there yet' : nameOfVersion(base)}
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
  const [isAsking, setAsking] = useState(false);
  const restore = useAction({
    failed: 'Could not bring this version back',
    done: () => 'The version is back, as a new change',
    touches: ['codex'],
    async run() {
      const params = { id, file_id: fileId };
      const body = { commit: version.sha };
      await codexApi.POST('/notebooks/{id}/files/{file_id}/restore', { params, query: { sync: 'true' }, body });
    },
  });
  if (!mayWrite) return null;
  return (
    <>
      <Button size="small" icon={<RotateCcw className="size-3.5" aria-hidden />} onClick={() => setAsking(true)}>
        Restore this version
      </Button>
      <Confirm
        title="Restore this version?"
        action="Restore"
        isOpen={isAsking}
        isBusy={restore.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => restore.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        <p>
          The file becomes what it was at {exactTime(Date.parse(version.at))}. What it is now stays in the history, so
          this can be taken back in the same way.
        </p>
      </Confirm>
    </>
  );
}
