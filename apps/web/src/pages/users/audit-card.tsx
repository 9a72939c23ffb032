import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { auditQuery } from '../../api/queries.ts';
import type { AuditEntry } from '../../api/types.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export function AuditCard(): ReactNode {
  const events = useQuery(auditQuery);
  return (
    <Card title="Audit log" description="The latest sign-ins and changes to accounts." isFlush>
      <Loaded query={events}>
        {(all) => <Table label="Audit log" rows={all} columns={columns} keyOf={({ seq }) => String(seq)} />}
      </Loaded>
    </Card>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'Time', sortBy: ({ at }) => at, cell: ({ at }) => <Time at={at} /> },
  { title: 'Event', sortBy: ({ type }) => type, cell: ({ type }) => eventLabel(type) },
  { title: 'By', sortBy: actorOf, cell: actorOf },
  { title: 'User', sortBy: userOf, cell: userOf },
  { title: 'Address', isOptional: true, sortBy: ({ ip }) => ip ?? '', cell: ({ ip }) => ip ?? '' },
];

/** `login_failed` → `Login failed`. */
function eventLabel(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function actorOf({ actor, actor_name: name }: AuditEntry): string {
  return name ?? actor;
}

function userOf({ user_id: id, username }: AuditEntry): string {
  return username ?? id ?? '';
}
