import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

import { taskCountsQuery, taskStorageQuery } from '../../api/utask-queries.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { followStream } from '../../live/streams.ts';
import { useStore } from '../../lib/store.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { StorageButton } from './storage-button.tsx';
import type { TaskChange } from './cached-tasks.ts';
import { taskChanges, taskStream } from './task-stream.ts';
import { TasksView } from './tasks-view.tsx';
import { Unreachable } from './unreachable.tsx';

export function Component(): ReactNode {
  const place = useQuery(taskStorageQuery);
  const counts = useQuery(taskCountsQuery);
  const isClosed = statusOf(place.error) === 404;
  const away = [place.error, counts.error].find((error) => statusOf(error) === 503);
  useEffect(() => (isClosed ? undefined : followStream(taskStream, 'page')), [isClosed]);
  return (
    <Page
      title="Tasks"
      description="A shared task list. Press ? for shortcuts."
      actions={!isClosed && <StorageButton />}
    >
      {away !== undefined && <Unreachable error={away} />}
      {isClosed ? <Closed /> : (away === undefined || place.data !== undefined) && <TasksView />}
      <AnnounceChanges changes={useStore(taskChanges)} describe={describeChange} />
    </Page>
  );
}

function describeChange({ task }: TaskChange): string {
  if (task === null) return 'A task was deleted elsewhere';
  return `${task.done ? 'Done' : 'Changed'} elsewhere: ${task.text}`;
}

function Closed(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Unplug} title="The task list is unavailable">
        <p>
          The server could not open it at startup; its terminal shows why. Check UTASK_NATS_URL and utask.json, then
          restart <code className="font-mono text-[13px]">holdfast serve</code>.
        </p>
      </EmptyState>
    </Card>
  );
}
