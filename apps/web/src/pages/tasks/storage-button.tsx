import { useQuery } from '@tanstack/react-query';
import { HardDrive, Network } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { TaskStorage } from '../../api/types.ts';
import { taskCountsQuery, taskStorageQuery } from '../../api/utask-queries.ts';
import { useStore } from '../../lib/store.ts';
import { liveState } from '../../live/streams.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const kinds = {
  embedded: { word: 'Stored on this machine', icon: HardDrive },
  nats: { word: 'Shared over NATS', icon: Network },
} as const;

/** Where the tasks are stored, and what that means. */
export function StorageButton(): ReactNode {
  const { data: place } = useQuery(taskStorageQuery);
  const [isOpen, setOpen] = useState(false);
  if (place === undefined) return null;
  const { word, icon: Icon } = kinds[place.backend];
  return (
    <>
      <Button size="small" icon={<Icon className="size-3.5" aria-hidden />} onClick={() => setOpen(true)}>
        {word}
      </Button>
      <Dialog title="Task storage" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts place={place} />
      </Dialog>
    </>
  );
}

function Facts({ place: { backend, where, durability, lacks } }: { readonly place: TaskStorage }): ReactNode {
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-muted">Status</dt>
        <dd>
          <State />
        </dd>
        <dt className="text-muted">Location</dt>
        <dd className="font-mono text-[13px] break-all">{where}</dd>
        <dt className="text-muted">Durability</dt>
        <dd>{durability}</dd>
      </dl>
      {lacks.length > 0 && (
        <div>
          <p className="text-muted">This NATS server lacks features of newer versions:</p>
          <ul className="mt-1 list-disc pl-5">
            {lacks.map((lack) => (
              <li key={lack}>{lack}</li>
            ))}
          </ul>
        </div>
      )}
      {backend === 'embedded' && (
        <p className="text-muted">
          To share tasks between machines, set UTASK_NATS_URL for{' '}
          <code className="font-mono text-[13px]">holdfast serve</code> to a NATS server, and copy the tasks with{' '}
          <code className="font-mono text-[13px]">ut move</code>.
        </p>
      )}
    </div>
  );
}

function State(): ReactNode {
  const counts = useQuery(taskCountsQuery);
  const live = useStore(liveState);
  if (counts.isError) return <Badge tone="bad">Unreachable</Badge>;
  if (live === 'live') return <Badge tone="good">Connected, live</Badge>;
  return <Badge tone="paused">Connected, live updates paused</Badge>;
}
