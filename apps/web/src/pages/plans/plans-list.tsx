import { useInfiniteQuery } from '@tanstack/react-query';
import { ListChecks, SearchX } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';

import { plansQuery } from '../../api/np-queries.ts';
import type { SessionState } from '../../api/types.ts';
import { useRows } from '../../api/use-rows.ts';
import { useFilters } from '../../lib/filters.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotLoaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segments } from '../../ui/segments.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { PlanRow } from './plan-row.tsx';

const states = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
] as const satisfies readonly { readonly value: SessionState; readonly label: string }[];

const ROW_HEIGHT = 90;

export function PlansList(): ReactNode {
  const [{ state = '', text = '' }, change] = useFilters();
  const chosen = states.find(({ value }) => value === state)?.value ?? 'all';
  const search = useCallback((typed: string) => change({ text: typed }), [change]);
  return (
    <Page title="Plans" description="Plans of agents and people, one per project directory, updated live.">
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
  if (plans.length === 0) return state === 'all' && text === '' ? <NoPlans /> : <NoneFits />;
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

function NoneFits(): ReactNode {
  return (
    <EmptyState icon={SearchX} title="No matching plans">
      <p>Search for part of a directory, goal or id, or show all plans.</p>
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
        Run these commands in a project directory. The plan and its changes appear here at once. The last command tells
        an agent to keep its plan with np.
      </p>
      <div className="grid w-[min(26rem,70vw)] gap-2 text-left text-text">
        {firstSteps.map((text) => (
          <Command key={text} text={text} />
        ))}
      </div>
    </EmptyState>
  );
}
