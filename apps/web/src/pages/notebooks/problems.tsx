import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { codexApi } from '../../api/clients.ts';
import type { NotebookStatus } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button, buttonClass } from '../../ui/button.tsx';

/** Actions for the status of a notebook. */
export function Problems({ id, status }: { readonly id: string; readonly status: NotebookStatus }): ReactNode {
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
      {mayWrite && (
        <Button
          size="small"
          icon={<RefreshCw className="size-3.5" aria-hidden />}
          isBusy={compare.isPending}
          onClick={() => compare.mutate()}
        >
          Scan folder
        </Button>
      )}
      {status.git.last_commit !== null && (
        <span className="font-mono text-xs text-muted">last commit {status.git.last_commit.slice(0, 8)}</span>
      )}
    </div>
  );
}
