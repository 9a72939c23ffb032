import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

import type { Place } from '../../api/ringmaster-client.ts';
import { placesQuery } from '../../api/ringmaster-queries.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ViewTab } from '../../ui/view-tab.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { Board } from './board/board.tsx';
import { GraphView } from './graph-view.tsx';
import { placeName } from './look.ts';
import { PauseButton } from './pause-button.tsx';
import { QueueView } from './queue-view.tsx';
import { AnnounceWorkspace } from './announce-workspace.tsx';
import { WorkersView } from './workers-view.tsx';

// Seldom looked at, so nobody waits for them with the board.
const FiguresView = lazy(async () => ({ default: (await import('./figures-view.tsx')).FiguresView }));
const SettingsView = lazy(async () => ({ default: (await import('./settings/settings-view.tsx')).SettingsView }));

interface View {
  readonly name: string;
  readonly label: string;
  readonly View: ComponentType<{ readonly place: Place }>;
}

const views: readonly View[] = [
  { name: 'board', label: 'Board', View: Board },
  { name: 'graph', label: 'Graph', View: GraphView },
  { name: 'queue', label: 'Queue', View: QueueView },
  { name: 'workers', label: 'Workers', View: WorkersView },
  { name: 'figures', label: 'Figures', View: FiguresView },
  { name: 'settings', label: 'Settings', View: SettingsView },
];

/** One project directory, in one of its views. */
export function PlaceView({ place: id, view }: { readonly place: string; readonly view: string }): ReactNode {
  const places = useQuery(placesQuery);
  const place = places.data?.find((each) => each.id === id);
  const chosen = views.find(({ name }) => name === view) ?? views[0];
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/ringmaster">All projects</BackLink>
      <Page
        title={place === undefined ? 'Project' : placeName(place.root)}
        actions={place !== undefined && <PauseButton place={id} />}
      >
        <Tabs place={id} current={chosen?.name ?? ''} />
        <Loaded query={places}>
          {() =>
            place === undefined ? (
              <p className="text-muted">No project directory of this machine has this address.</p>
            ) : (
              chosen !== undefined && (
                <Suspense fallback={<Skeleton />}>
                  <chosen.View place={place} />
                </Suspense>
              )
            )
          }
        </Loaded>
        <AnnounceWorkspace />
      </Page>
    </div>
  );
}

function Tabs({ place, current }: { readonly place: string; readonly current: string }): ReactNode {
  return (
    <ViewTabs label="Views of this project" current={current}>
      {views.map(({ name, label }) => (
        <li key={name}>
          <ViewTab to="/ringmaster/$place/$view" params={{ place, view: name }} isCurrent={name === current}>
            {label}
          </ViewTab>
        </li>
      ))}
    </ViewTabs>
  );
}
