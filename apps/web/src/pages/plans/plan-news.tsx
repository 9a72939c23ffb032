import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { Announce } from '../../ui/announce.tsx';
import { describeEvent } from './describe-event.ts';
import { planNews } from './plan-stream.ts';

/** What has just changed, for those who do not see it; of one plan, or of all. */
export function PlanNews({ sid }: { readonly sid?: string }): ReactNode {
  const news = useStore(planNews).filter((each) => sid === undefined || each.sid === sid);
  const last = news.at(-1);
  if (last === undefined) return <Announce text="" />;
  const text = describeEvent(last.event);
  return <Announce text={news.length === 1 ? text : `${news.length} changes, the last: ${text}`} />;
}
