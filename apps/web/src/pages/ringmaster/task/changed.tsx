import { useQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { taskDiffQuery } from '../../../api/ringmaster-queries.ts';
import { patchFiles } from '../../../lib/diff.ts';
import { statusOf } from '../../../lib/error-reason.ts';
import { count } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { PatchView } from '../../../ui/diff-view.tsx';
import { Loaded } from '../../../ui/page.tsx';

const OPEN_AT_ONCE = 4;

export function Changed({ workspace, id }: { readonly workspace: string; readonly id: string }): ReactNode {
  const diff = useQuery(taskDiffQuery(workspace, id));
  if (statusOf(diff.error) === 404) {
    return <p className="p-5 text-muted">No changes to show: the project is not a git repository.</p>;
  }
  return (
    <Loaded query={diff}>
      {({ branch, files, patch, is_cut: isCut, is_live: isLive, merged_at: merged }) => (
        <div className="grid gap-3 p-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-muted">
            <span className="inline-flex items-center gap-1.5 font-mono break-all">
              <GitBranch className="size-3.5 shrink-0" aria-hidden />
              {branch}
            </span>
            <span>{count(files.length, 'file')}</span>
            {isLive && <Badge tone="busy">In progress</Badge>}
            {merged !== null && <Badge tone="good">Merged</Badge>}
          </p>
          {files.length === 0 && <p className="text-muted">No files changed</p>}
          <Files patch={patch} />
          {files
            .filter(({ added }) => added === null)
            .map(({ path }) => (
              <p key={path} className="font-mono text-[13px] break-all text-muted">
                {path} (new or binary)
              </p>
            ))}
          {isCut && <p className="text-warn">The diff is truncated. Use git to see the rest.</p>}
        </div>
      )}
    </Loaded>
  );
}

function Files({ patch }: { readonly patch: string }): ReactNode {
  const files = useMemo(() => patchFiles(patch), [patch]);
  return files.map(({ path, lines }) => (
    <PatchView key={path} path={path} lines={lines} isOpen={files.length <= OPEN_AT_ONCE} />
  ));
}
