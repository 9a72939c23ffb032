import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { Announce } from '../../ui/announce.tsx';
import type { TaskChange } from './task-cache.ts';
import { taskNews } from './task-stream.ts';

/** What others have just changed, for those who do not see it. */
export function TaskNews(): ReactNode {
  const news = useStore(taskNews);
  const last = news.at(-1);
  if (last === undefined) return <Announce text="" />;
  return <Announce text={news.length === 1 ? told(last) : `${news.length} tasks were changed elsewhere`} />;
}

function told({ task }: TaskChange): string {
  if (task === null) return 'A task was deleted elsewhere';
  return `${task.done ? 'Done' : 'Changed'} elsewhere: ${task.text}`;
}
