import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { useStore } from '../../lib/store.ts';
import { followStream } from '../../live/streams.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { describeEvent } from './describe-event.ts';
import { planChanges, planStream } from './plan-stream.ts';
import { PlanView } from './plan-view.tsx';
import { PlansList } from './plans-list.tsx';

/** All plans, or one plan; both update live. */
export function Component(): ReactNode {
  const { sid }: { readonly sid?: string } = useParams({ strict: false });
  const changes = useStore(planChanges).filter((change) => sid === undefined || change.sid === sid);
  useEffect(() => followStream(planStream, 'page'), []);
  return (
    <>
      {sid === undefined ? <PlansList /> : <PlanView key={sid} sid={sid} />}
      <AnnounceChanges changes={changes} describe={({ event }) => describeEvent(event)} />
    </>
  );
}
