import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';

import { auditQuery, usersQuery } from '../../api/queries.ts';
import type { AuditEntry, AuditType } from '../../api/types.ts';
import { useRows } from '../../api/use-rows.ts';
import { useFilters } from '../../lib/filters.ts';
import { timeColumn } from '../../ui/columns.tsx';
import { Choice } from '../../ui/field.tsx';
import { Card, EmptyState, MoreButton, NotLoaded, Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

/** Every type of event, with the words that users see. TypeScript reports a type that is missing here. */
const labels: Readonly<Record<AuditType, string>> = {
  owner_created: 'Owner created',
  setup_link_created: 'Setup link created',
  user_created: 'User created',
  user_changed: 'User changed',
  user_disabled: 'User disabled',
  user_enabled: 'User enabled',
  user_deleted: 'User deleted',
  roles_changed: 'Roles changed',
  password_changed: 'Password changed',
  password_rehashed: 'Password rehashed',
  hash_policy_changed: 'Hash policy changed',
  login_ok: 'Signed in',
  login_failed: 'Sign-in failed',
  logout: 'Signed out',
  session_revoked: 'Session ended',
  sessions_revoked: 'Sessions ended',
  identity_linked: 'OpenID Connect linked',
  identity_unlinked: 'OpenID Connect unlinked',
  token_created: 'Token created',
  token_revoked: 'Token revoked',
};

const types: ReadonlyMap<string, AuditType> = new Map((Object.keys(labels) as AuditType[]).map((type) => [type, type]));
const typeOptions = [...types.values()].map((value) => ({ value, label: labels[value] }));

export function Component(): ReactNode {
  const [{ type = '', user = '' }, change] = useFilters();
  const { data: users = [] } = useQuery(usersQuery);
  return (
    <Page title="Audit log" description="Sign-ins and changes to accounts, newest first.">
      <div className="grid gap-3 sm:grid-cols-2">
        <Choice
          label="Event"
          value={type}
          options={[{ value: '', label: 'All events' }, ...typeOptions]}
          onChange={(next) => change({ type: next }, true)}
        />
        <Choice
          label="User"
          value={user}
          options={[
            { value: '', label: 'All users' },
            ...users.map(({ id, username }) => ({ value: id, label: username })),
          ]}
          onChange={(next) => change({ user: next }, true)}
        />
      </div>
      <Card isFlush>
        <Events type={types.get(type)} user={user} />
      </Card>
    </Page>
  );
}

function Events({ type, user }: { readonly type: AuditType | undefined; readonly user: string }): ReactNode {
  const query = useInfiniteQuery(auditQuery({ type, user }));
  const { rows } = useRows(query);
  if (query.data === undefined) return <NotLoaded query={query} lines={6} />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={ScrollText} title="No events">
        <p>No events match these filters.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Table label="Audit entries" rows={rows} columns={columns} keyOf={({ seq }) => String(seq)} />
      <MoreButton query={query} className="p-4">
        Show older events
      </MoreButton>
    </>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  timeColumn('Time', ({ at }) => at),
  { title: 'Event', sortBy: eventOf, cell: eventOf },
  { title: 'By', sortBy: actorOf, cell: actorOf },
  { title: 'User', sortBy: userOf, cell: userOf },
  { title: 'Address', isOptional: true, sortBy: ({ ip }) => ip ?? '', cell: ({ ip }) => ip ?? '' },
  { title: 'Details', isOptional: true, cell: detailsOf },
];

const ways = { proxy: 'through the reverse proxy', oidc: 'through OpenID Connect' } as const;

function eventOf({ type }: AuditEntry): string {
  return labels[type];
}

function actorOf({ actor, actor_name: name }: AuditEntry): string {
  return name ?? actor;
}

function userOf({ user_id: id, username }: AuditEntry): string {
  return username ?? id ?? '';
}

function detailsOf({ via, reason, subject, roles, scopes, count }: AuditEntry): string {
  const parts = [
    via === undefined ? '' : ways[via],
    reason ?? '',
    subject === undefined ? '' : `subject ${subject}`,
    roles?.join(', ') ?? '',
    scopes?.join(', ') ?? '',
    count === undefined ? '' : `${count} session${count === 1 ? '' : 's'} ended`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}
