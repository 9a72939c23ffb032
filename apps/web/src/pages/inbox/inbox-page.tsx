import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';

import { inboxQuery } from '../../api/queries.ts';
import type { InboxItem } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { notificationState, toggleNotifications } from '../../lib/notifications.ts';
import { useStore } from '../../lib/store.ts';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState, Loaded, Page } from '../../ui/page.tsx';
import { ViewTab, ViewTabs } from '../../ui/view-tabs.tsx';
import { useInboxActions } from './inbox-actions.ts';
import { InboxRow } from './inbox-row.tsx';

export function Component(): ReactNode {
  const [{ show }] = useFilters();
  const isSnoozed = show === 'snoozed';
  const query = useQuery(inboxQuery(isSnoozed));
  return (
    <Page
      title="Inbox"
      description="Everything that is waiting for a person, across all applications."
      actions={<NotificationButton />}
    >
      <ViewTabs label="Items" current={isSnoozed ? 'snoozed' : 'waiting'}>
        <li>
          <ViewTab to="/inbox" search={{}} isCurrent={!isSnoozed}>
            Waiting
          </ViewTab>
        </li>
        <li>
          <ViewTab to="/inbox" search={{ show: 'snoozed' }} isCurrent={isSnoozed}>
            Snoozed{query.data === undefined || query.data.snoozed === 0 ? '' : ` (${query.data.snoozed})`}
          </ViewTab>
        </li>
      </ViewTabs>
      <Loaded query={query}>
        {({ data, unavailable }) => (
          <>
            {unavailable.length > 0 && (
              <p role="status" className="text-warn">
                These applications did not answer: {unavailable.join(', ')}
              </p>
            )}
            <Items items={data} isSnoozed={isSnoozed} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ItemsProps {
  readonly items: readonly InboxItem[];
  readonly isSnoozed: boolean;
}

function Items({ items, isSnoozed }: ItemsProps): ReactNode {
  const actions = useInboxActions();
  if (items.length === 0) {
    return (
      <Card isFlush>
        <EmptyState icon={Inbox} title={isSnoozed ? 'Nothing snoozed' : 'Nothing is waiting for you'}>
          <p>
            {isSnoozed
              ? 'Snooze an item to hide it until later.'
              : 'Decisions, reviews, failed work, conflicts, scan problems and due tasks appear here.'}
          </p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card isFlush>
      <ul aria-label={isSnoozed ? 'Snoozed items' : 'Waiting items'} className="divide-y divide-line">
        {items.map((item) => (
          <li key={item.key}>
            <InboxRow item={item} actions={actions} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NotificationButton(): ReactNode {
  const state = useStore(notificationState);
  if (state === 'unsupported') return null;
  const isOn = state === 'on';
  return (
    <Button icon={isOn ? BellOff : Bell} onClick={() => void toggleNotifications()}>
      {isOn ? 'Stop notifications' : 'Notify me in this browser'}
    </Button>
  );
}
