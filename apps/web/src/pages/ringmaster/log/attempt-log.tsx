import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { LogView } from '../../../ui/log/log-view.tsx';
import { emptyLog, withPieces } from './log-lines.ts';
import { useLiveLog } from './use-live-log.ts';

interface LiveLogProps {
  readonly workspace: string;
  readonly id: string;
  readonly attempt: number | undefined;
  readonly label: string;
}

/** Output of a running worker. */
export function LiveLog({ workspace, id, attempt, label }: LiveLogProps): ReactNode {
  const { log, hasEnded } = useLiveLog(workspace, id, attempt);
  return <LogView label={label} {...log} isLive={!hasEnded} empty="No output yet" />;
}

interface PastLogProps {
  readonly workspace: string;
  readonly id: string;
  readonly attempt: number;
}

function pastLogQuery({ workspace, id, attempt }: PastLogProps) {
  return queryOptions({
    queryKey: ['ringmaster-log', workspace, id, attempt],
    queryFn: async ({ signal }) => {
      const params = { workspace, task: id };
      const query = { attempt };
      const { data } = await ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}/log', { params, query, signal });
      return withPieces(emptyLog, data.data);
    },
  });
}

/** All turns of a finished attempt. */
export function PastLog(props: PastLogProps): ReactNode {
  const log = useQuery(pastLogQuery(props));
  return (
    <Loaded query={log}>
      {(found) => <LogView label={`Log of attempt ${props.attempt}`} {...found} isLive={false} empty="No output" />}
    </Loaded>
  );
}
