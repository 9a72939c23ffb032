import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { accountApi } from '../../api/clients.ts';
import { sessionsQuery } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { describeAgent } from '../../lib/user-agent.ts';

export function SessionsCard(): ReactNode {
  const sessions = useQuery(sessionsQuery);
  const revoke = useAction<string>({
    failed: 'Could not end the session',
    done: () => 'Session ended',
    touches: ['accounts'],
    run: (id) => accountApi.DELETE('/sessions/{id}', { params: { id } }),
  });
  const columns: readonly Column<Session>[] = [
    {
      title: 'Browser',
      sortBy: ({ user_agent: agent }) => describeAgent(agent),
      cell: ({ user_agent: agent, is_current: isCurrent }) => (
        <span className="flex flex-wrap items-center gap-2" title={agent ?? undefined}>
          <span className="font-medium">{describeAgent(agent)}</span>
          {isCurrent && <Badge tone="good">This session</Badge>}
        </span>
      ),
    },
    {
      title: 'Address',
      isOptional: true,
      sortBy: ({ ip }) => ip,
      cell: ({ ip }) => <span className="font-mono text-xs">{ip ?? '–'}</span>,
    },
    { title: 'Last seen', sortBy: ({ last_seen_at: at }) => at, cell: ({ last_seen_at: at }) => <Time at={at} /> },
    {
      title: 'Signed in',
      isOptional: true,
      sortBy: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => <Time at={at} />,
    },
    {
      title: 'Expires',
      isOptional: true,
      sortBy: ({ expires_at: at }) => at,
      cell: ({ expires_at: at }) => <Time at={at} />,
    },
    {
      title: 'End',
      isTitleHidden: true,
      align: 'right',
      cell: (session) =>
        !session.is_current && (
          <Button
            size="small"
            variant="danger"
            aria-label={`End the session of ${describeAgent(session.user_agent)}`}
            isBusy={revoke.isPending && revoke.variables === session.id}
            onClick={() => revoke.mutate(session.id)}
          >
            End session
          </Button>
        ),
    },
  ];
  return (
    <Card title="Sessions" description="Browsers where you are signed in." isFlush>
      <Loaded query={sessions}>
        {(all) => <Table label="Sessions" rows={all} columns={columns} keyOf={({ id }) => id} />}
      </Loaded>
    </Card>
  );
}
