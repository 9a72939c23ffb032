import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { inboxQuery } from '../api/queries.ts';
import { notify } from '../lib/notifications.ts';
import { setTabCount } from '../lib/tab-title.ts';

/** Shows the number of waiting items in the tab, and notifies the user of new ones. */
export function useInboxInTab(): void {
  const { data } = useQuery(inboxQuery());
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    setTabCount(data.data.length);
    for (const { key, title, detail } of data.data) {
      if (known.current?.has(key) === false) notify(title, { body: detail ?? 'Waiting for you', tag: key });
    }
    known.current = new Set(data.data.map(({ key }) => key));
  }, [data]);
  useEffect(() => () => setTabCount(0), []);
}

/** Returns the number of waiting items; undefined until it is known. */
export function useInboxCount(): number | undefined {
  return useQuery(inboxQuery()).data?.data.length;
}
