import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { planEventsQuery } from '../../api/np-queries.ts';
import type { PlanEvent } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { NotLoaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { type Moment, Timeline } from '../../ui/timeline.tsx';
import { describeEvent, rewordingOf, toneOf } from './describe-event.ts';
import { recentPlans } from './plan-stream.ts';

export function PlanEvents({ sid }: { readonly sid: string }): ReactNode {
  const query = useInfiniteQuery(planEventsQuery(sid));
  const { data } = query;
  const fresh = useStore(recentPlans);
  const moments = useMemo(
    () =>
      (data?.pages ?? []).flatMap((page) =>
        page.data.map((event) => momentOf(event, fresh.has(`${sid}/#${event.seq}`))),
      ),
    [data, fresh, sid],
  );
  return (
    <Card title="Timeline" description="Every change and the command that made it.">
      {data === undefined ? (
        <NotLoaded query={query} />
      ) : (
        <>
          <Timeline moments={moments} />
          <MoreButton query={query} size="small" className="mt-5 grid justify-items-center">
            Show older
          </MoreButton>
        </>
      )}
    </Card>
  );
}

const words = { open: 'Reopened', busy: 'Started', good: 'Completed', bad: 'Failed', cancelled: 'Cancelled' } as const;

function momentOf(event: PlanEvent, isFresh: boolean): Moment {
  return {
    id: String(event.seq),
    at: event.at,
    title: <Title event={event} />,
    detail: <Detail event={event} />,
    isFresh,
  };
}

function Title({ event }: { readonly event: PlanEvent }): ReactNode {
  const tone = toneOf(event);
  if (event.type !== 'task_status_changed') return <span className="break-words">{describeEvent(event)}</span>;
  return (
    <span className="break-words">
      <Badge tone={tone}>{tone in words ? words[tone as keyof typeof words] : ''}</Badge>{' '}
      <bdi>{event.payload.title}</bdi>
    </span>
  );
}

function Detail({ event }: { readonly event: PlanEvent }): ReactNode {
  const { seq, cmd, reason } = event;
  const rewording = rewordingOf(event);
  return (
    <div className="grid min-w-0 gap-2">
      {reason !== null && (
        <p dir="auto" className="border-s-2 border-accent ps-3 break-words whitespace-pre-wrap">
          <span className="sr-only">Reason: </span>
          {reason}
        </p>
      )}
      <p className="flex min-w-0 gap-2 font-mono text-xs text-muted">
        <span className="shrink-0">#{seq}</span>
        <span className="line-clamp-2 min-w-0 break-all" title={cmd}>
          {cmd}
        </span>
      </p>
      {rewording !== undefined && (
        <details>
          <summary className="text-[13px] text-muted">Show changes</summary>
          <div className="mt-2">
            <DiffView label={`Change ${seq}`} before={rewording.before} after={rewording.after} />
          </div>
        </details>
      )}
    </div>
  );
}
