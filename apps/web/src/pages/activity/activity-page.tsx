import { useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';

import { changesQuery } from '../../api/queries.ts';
import { useFilters } from '../../lib/filters.ts';
import { foldActivity } from '../../lib/fold-activity.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useMay } from '../../lib/permissions.ts';
import { Card, EmptyState, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { ViewTab, ViewTabs } from '../../ui/view-tabs.tsx';
import { ActivityRow } from './activity-row.tsx';

const CommitsView = lazyPart(async () => (await import('./commits-view.tsx')).CommitsView);

export function Component(): ReactNode {
  const [{ view, database, text }] = useFilters();
  const maySeeCommits = useMay('system:read');
  const isCommits = maySeeCommits && (view === 'commits' || database !== undefined || text !== undefined);
  return (
    <Page title="Activity" description="Who changed what, in all applications.">
      {maySeeCommits && (
        <ViewTabs label="Kinds of activity" current={isCommits ? 'commits' : 'changes'}>
          <li>
            <ViewTab to="/activity" isCurrent={!isCommits}>
              Changes
            </ViewTab>
          </li>
          <li>
            <ViewTab to="/activity" search={{ view: 'commits' }} isCurrent={isCommits}>
              Commits
            </ViewTab>
          </li>
        </ViewTabs>
      )}
      {isCommits ? (
        <Suspense fallback={<Skeleton />}>
          <CommitsView />
        </Suspense>
      ) : (
        <ChangesView />
      )}
    </Page>
  );
}

function ChangesView(): ReactNode {
  const changes = useQuery(changesQuery);
  return (
    <Loaded query={changes}>
      {({ data }) => (
        <Card isFlush>
          {data.length === 0 ? (
            <EmptyState icon={Activity} title="No changes yet">
              <p>
                Changes that people and programs make to plans, tasks, notebooks, audiobooks and projects appear here.
              </p>
            </EmptyState>
          ) : (
            <ul aria-label="Changes" className="divide-y divide-line">
              {foldActivity(data).map((fold) => (
                <li key={`${fold.first.app} ${fold.first.at} ${fold.first.title} ${fold.first.text}`}>
                  <ActivityRow fold={fold} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  );
}
