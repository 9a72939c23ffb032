import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ListChecks, SearchX } from 'lucide-react';
import { type ReactNode, useCallback, useEffect } from 'react';

import { plansQuery } from '../../api/np-queries.ts';
import type { PlanSummary, SessionState } from '../../api/types.ts';
import { useRows } from '../../api/use-rows.ts';
import { useFilters } from '../../lib/filters.ts';
import { useStore } from '../../lib/store.ts';
import { followStream } from '../../live/streams.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Time } from '../../ui/badge.tsx';
import { Command } from '../../ui/button.tsx';
import { SearchBox, Segments } from '../../ui/field.tsx';
import { Card, EmptyState, NotLoaded, Page } from '../../ui/page.tsx';
import { highlightClass } from '../../ui/timeline.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { NewPlanButton } from './plan-dialogs.tsx';
import { Progress, SessionBadge } from './plan-status.tsx';
import { planChanges, planStream, recentPlans } from './plan-stream.ts';
import { describeEvent, PlanView } from './plan-view.tsx';

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

const states = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
] as const satisfies readonly { readonly value: SessionState; readonly label: string }[];

const ROW_HEIGHT = 90;

function PlansList(): ReactNode {
  const [{ state = '', text = '' }, change] = useFilters();
  const chosen = states.find(({ value }) => value === state)?.value ?? 'all';
  const search = useCallback((typed: string) => change({ text: typed }), [change]);
  return (
    <Page
      title="Plans"
      description="Plans of agents and people, one per project directory, updated live."
      actions={<NewPlanButton />}
    >
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <Segments
          label="Plan status"
          value={chosen}
          options={states}
          onChange={(next) => change({ state: next === 'all' ? '' : next })}
        />
        <SearchBox label="Search by directory, goal or id" value={text} onChange={search} />
      </div>
      <Card isFlush>
        <Found state={chosen} text={text} />
      </Card>
    </Page>
  );
}

function Found({ state, text }: { readonly state: SessionState; readonly text: string }): ReactNode {
  const query = useInfiniteQuery(plansQuery(state, text));
  const { data } = query;
  const { rows: plans, more } = useRows(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (plans.length === 0) return state === 'all' && text === '' ? <NoPlans /> : <NoMatches />;
  return (
    <VirtualList
      label="Plans"
      rows={plans}
      rowHeight={ROW_HEIGHT}
      keyOf={({ session }) => session.sid}
      onEnd={more}
      render={(plan) => <PlanRow plan={plan} />}
    />
  );
}

function NoMatches(): ReactNode {
  return (
    <EmptyState icon={SearchX} title="No matching plans">
      <p>Search for part of a path, goal or id, or show all plans.</p>
    </EmptyState>
  );
}

const firstSteps = [
  'np start',
  'np goal set -t "Ship it" -d "What done means"',
  'np task add -t "First step" -d "How to do it"',
  'np setup claude',
] as const;

function NoPlans(): ReactNode {
  return (
    <EmptyState icon={ListChecks} title="No plans yet">
      <p>
        Create a plan here, or run these commands in a project directory. The plan and its changes appear here
        immediately. The last command tells an agent to keep its plan with np.
      </p>
      <div className="grid w-[min(26rem,70vw)] gap-2 text-left text-text">
        {firstSteps.map((text) => (
          <Command key={text} text={text} />
        ))}
      </div>
    </EmptyState>
  );
}

function PlanRow({ plan: { session, goal, counts } }: { readonly plan: PlanSummary }): ReactNode {
  const isFresh = useStore(recentPlans).has(session.sid);
  return (
    <Link
      to="/plans/$sid"
      params={{ sid: session.sid }}
      data-fresh={isFresh || undefined}
      className={`grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-3.5 -outline-offset-2 hover:bg-sunken ${highlightClass(isFresh)}`}
    >
      <span className="flex items-start gap-3">
        <span
          dir="auto"
          className={`min-w-0 flex-1 truncate text-left font-medium ${goal === null ? 'text-muted italic' : ''}`}
        >
          {goal?.title ?? 'No goal yet'}
        </span>
        <SessionBadge state={session.state} />
      </span>
      <span className="grid items-center gap-x-6 gap-y-1.5 sm:grid-cols-[1fr_16rem_6rem]">
        <span className="truncate font-mono text-xs text-muted" title={session.dir_path}>
          {session.dir_path}
        </span>
        <Progress counts={counts} />
        <span className="text-[13px] text-muted sm:text-right">
          <Time at={session.last_updated_at} />
        </span>
      </span>
    </Link>
  );
}
