import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { Announce } from '../../ui/announce.tsx';
import { codexNews } from '../notebooks/codex-stream.ts';
import { describeOperation, statusLooks } from './describe-operation.ts';

/** What has just happened, for those who do not see it. */
export function QueueNews(): ReactNode {
  const news = useStore(codexNews);
  const last = news.at(-1);
  if (last === undefined) return <Announce text="" />;
  const text = `${describeOperation(last)}: ${statusLooks[last.status].word}`;
  return <Announce text={news.length === 1 ? text : `${news.length} changes, the last: ${text}`} />;
}
