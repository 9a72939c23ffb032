import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense } from 'react';

import { workspacesQuery } from '../../api/ringmaster-queries.ts';
import type { Workspace } from '../../api/types.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { BackLink, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { ViewTab, ViewTabs } from '../../ui/view-tabs.tsx';
import { Board } from './board/board.tsx';
import { CreateButtons } from './new-task.tsx';
import { QueueView } from './ranking.tsx';
import { RunButtons } from './run-buttons.tsx';
import { workspaceName } from './status-badge.ts';
import { AnnounceWorkspace } from './widgets.tsx';

// These views are loaded when opened, because they are rarely used and would delay the board.
const ReviewView = lazyPart(async () => (await import('./review/review-view.tsx')).ReviewView);
const GraphView = lazyPart(async () => (await import('./graph-view.tsx')).GraphView);
const WorkersView = lazyPart(async () => (await import('./workers-view.tsx')).WorkersView);
const MetricsView = lazyPart(async () => (await import('./metrics-view.tsx')).MetricsView);
const SettingsView = lazyPart(async () => (await import('./settings/settings-view.tsx')).SettingsView);

interface View {
  readonly name: string;
  readonly label: string;
  readonly View: ComponentType<{ readonly workspace: Workspace }>;
}

const views: readonly View[] = [
  { name: 'board', label: 'Board', View: Board },
  { name: 'review', label: 'Review', View: ReviewView },
  { name: 'graph', label: 'Graph', View: GraphView },
  { name: 'queue', label: 'Queue', View: QueueView },
  { name: 'workers', label: 'Workers', View: WorkersView },
  { name: 'metrics', label: 'Metrics', View: MetricsView },
  { name: 'settings', label: 'Settings', View: SettingsView },
];

export function WorkspaceView({
  workspace: id,
  view,
}: {
  readonly workspace: string;
  readonly view: string;
}): ReactNode {
  const workspaces = useQuery(workspacesQuery);
  const workspace = workspaces.data?.find((each) => each.id === id);
  const chosen = views.find(({ name }) => name === view) ?? views[0];
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/ringmaster">All projects</BackLink>
      <Page
        title={workspace === undefined ? 'Project' : workspaceName(workspace.root)}
        actions={
          workspace !== undefined && (
            <div className="flex flex-wrap items-center gap-2">
              <CreateButtons workspace={workspace} />
              <RunButtons workspace={id} />
            </div>
          )
        }
      >
        <Tabs workspace={id} current={chosen?.name ?? ''} />
        <Loaded query={workspaces}>
          {() =>
            workspace === undefined ? (
              <p className="text-muted">Project not found on this machine.</p>
            ) : (
              chosen !== undefined && (
                <Suspense fallback={<Skeleton />}>
                  <chosen.View workspace={workspace} />
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

function Tabs({ workspace, current }: { readonly workspace: string; readonly current: string }): ReactNode {
  return (
    <ViewTabs label="Project views" current={current}>
      {views.map(({ name, label }) => (
        <li key={name}>
          <ViewTab to="/ringmaster/$workspace/$view" params={{ workspace, view: name }} isCurrent={name === current}>
            {label}
          </ViewTab>
        </li>
      ))}
    </ViewTabs>
  );
}
