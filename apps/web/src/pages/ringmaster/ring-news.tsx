import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { Announce } from '../../ui/announce.tsx';
import { ringNews } from './place-stream.ts';

/** What has just happened, for those who do not see it. */
export function RingNews(): ReactNode {
  const news = useStore(ringNews);
  const last = news.at(-1);
  if (last === undefined) return <Announce text="" />;
  const told = `${last.entity_id}: ${last.event_type.replaceAll('_', ' ')}`;
  return <Announce text={news.length === 1 ? told : `${told}, and ${news.length - 1} more`} />;
}
