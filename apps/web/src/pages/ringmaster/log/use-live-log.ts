import { useEffect, useState } from 'react';

import { queryClient } from '../../../api/query-client.ts';
import { ringmasterApi } from '../../../api/clients.ts';
import type { LogPiece } from '../../../api/types.ts';
import { batched } from '../../../live/batched.ts';
import { createConnection } from '../../../live/connection.ts';
import { followStream } from '../../../live/streams.ts';
import { emptyLog, type Log, withPieces } from './log-lines.ts';

const COALESCE_MS = 40;

interface LiveLog {
  readonly log: Log;
  readonly hasEnded: boolean;
}

const nothing: LiveLog = { log: emptyLog, hasEnded: false };

/**
 * A worker's output, from the start of its current turn to the end of its attempt. A tab keeps one stream open, so the
 * workspace's stream pauses meanwhile.
 */
export function useLiveLog(workspace: string, id: string, attempt: number | undefined): LiveLog {
  const [state, setState] = useState<LiveLog>(nothing);
  useEffect(() => {
    setState(nothing);
    let stop: (() => void) | undefined;
    const arrive = batched<LogPiece>(COALESCE_MS, (pieces) => {
      setState((known) => ({ ...known, log: withPieces(known.log, pieces) }));
    });
    const end = (): void => {
      stop?.();
      stop = undefined;
      setState((known) => ({ ...known, hasEnded: true }));
      void queryClient.invalidateQueries({ queryKey: ['ringmaster', workspace] });
    };
    const url = ringmasterApi.url('/workspaces/{workspace}/tasks/{task}/log/live', { params: { workspace, task: id } });
    const connection = createConnection(url, {
      onEvent({ event, data }) {
        if (event === 'log') arrive(JSON.parse(data) as LogPiece);
        if (event === 'end') setTimeout(end, COALESCE_MS * 2);
      },
      onGap: () => undefined,
    });
    // Must start after the page's stream, whose effect runs later than this one.
    const begin = setTimeout(() => (stop = followStream(connection, 'page')));
    return () => {
      clearTimeout(begin);
      stop?.();
    };
  }, [workspace, id, attempt]);
  return state;
}
