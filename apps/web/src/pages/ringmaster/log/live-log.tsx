import type { ReactNode } from 'react';

import { LogView } from './log-view.tsx';
import { useLiveLog } from './use-live-log.ts';

interface LiveLogProps {
  readonly place: string;
  readonly id: string;
  readonly attempt: number | undefined;
  readonly label: string;
}

export function LiveLog({ place, id, attempt, label }: LiveLogProps): ReactNode {
  const { log, hasEnded } = useLiveLog(place, id, attempt);
  return <LogView label={label} log={log} isLive={!hasEnded} />;
}
