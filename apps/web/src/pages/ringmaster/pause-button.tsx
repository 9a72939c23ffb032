import { useQuery } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { statusQuery } from '../../api/ringmaster-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';

/** Whether anything new begins in this workspace. */
export function PauseButton({ workspace }: { readonly workspace: string }): ReactNode {
  const { data: status } = useQuery(statusQuery(workspace));
  const mayChange = useMay('app:ringmaster:write');
  const pause = useAction({
    failed: 'Could not change it',
    done: ({ data }) =>
      data.paused_at === null ? 'Workers begin new tasks again' : 'Nothing new begins; what runs is finished',
    touches: ['ringmaster'],
    run: (paused: boolean) =>
      ringmasterApi.PUT('/workspaces/{workspace}/paused', { params: { workspace }, body: { paused } }),
  });
  if (status === undefined) return null;
  const isPaused = status.paused_at !== null;
  const Icon = isPaused ? Play : Pause;
  return (
    <div className="flex items-center gap-3">
      {isPaused && <Badge tone="paused">Paused</Badge>}
      {mayChange && (
        <Button
          size="small"
          isBusy={pause.isPending}
          icon={<Icon className="size-3.5" aria-hidden />}
          onClick={() => pause.mutate(!isPaused)}
        >
          {isPaused ? 'Resume all workers' : 'Pause all workers'}
        </Button>
      )}
    </div>
  );
}
