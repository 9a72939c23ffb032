import type { InfiniteData } from '@tanstack/react-query';

import type { PlanEvent, PlanEventPage } from '../../api/types.ts';

type Pages = InfiniteData<PlanEventPage, string | undefined>;

/** Returns the log with new events added, newest first; undefined if events in between are missing. */
export function appendEvents(known: Pages, arrived: readonly PlanEvent[]): Pages | undefined {
  const [first, ...rest] = known.pages;
  if (first === undefined) return undefined;
  const last = first.data[0]?.seq ?? -1;
  const added = arrived.filter(({ seq }) => seq > last).sort((left, right) => left.seq - right.seq);
  if (added.some(({ seq }, at) => seq !== last + 1 + at)) return undefined;
  return { ...known, pages: [{ ...first, data: [...added.reverse(), ...first.data] }, ...rest] };
}
