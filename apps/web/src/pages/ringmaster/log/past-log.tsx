import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ringmasterApi } from '../../../api/ringmaster-client.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { emptyLog, withPieces } from './log-lines.ts';
import { LogView } from './log-view.tsx';

interface PastLogProps {
  readonly place: string;
  readonly id: string;
  readonly attempt: number;
}

function pastLogQuery({ place, id, attempt }: PastLogProps) {
  return queryOptions({
    queryKey: ['ringmaster-log', place, id, attempt],
    queryFn: async ({ signal }) => {
      const params = { workspace: place, id };
      const { data } = await ringmasterApi.GET('/workspaces/{workspace}/tasks/{id}/log', {
        params,
        query: { attempt },
        signal,
      });
      return withPieces(emptyLog, data.data);
    },
  });
}

/** All turns of an attempt that is over. */
export function PastLog(props: PastLogProps): ReactNode {
  const log = useQuery(pastLogQuery(props));
  return (
    <Loaded query={log}>
      {(found) => <LogView label={`Log of attempt ${props.attempt}`} log={found} isLive={false} />}
    </Loaded>
  );
}
