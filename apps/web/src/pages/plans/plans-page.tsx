import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { followStream } from '../../live/streams.ts';
import { planStream } from './plan-stream.ts';
import { PlanView } from './plan-view.tsx';
import { PlansList } from './plans-list.tsx';

/** All plans, or one of them; both follow what agents do. */
export function Component(): ReactNode {
  const { sid }: { readonly sid?: string } = useParams({ strict: false });
  useEffect(() => followStream(planStream, 'page'), []);
  return sid === undefined ? <PlansList /> : <PlanView key={sid} sid={sid} />;
}
