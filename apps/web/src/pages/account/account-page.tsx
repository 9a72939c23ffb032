import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { accountApi } from '../../api/clients.ts';
import { linkQuery, sessionsQuery, stateQuery, tokensQuery } from '../../api/queries.ts';
import type { Session, Token } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { reasonOf } from '../../lib/error-reason.ts';
import { PASSWORD_HELP } from '../../lib/password.ts';
import { useFilters } from '../../lib/filters.ts';
import { useMe } from '../../lib/permissions.ts';
import { signInFailures } from '../../lib/sign-in-failures.ts';
import { describeAgent } from '../../lib/user-agent.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { ConfirmButton, Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx';
import { Choice, Field, Form } from '../../ui/field.tsx';
import { Card, EmptyState, Loaded, Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

export function Component(): ReactNode {
  const me = useMe();
  return (
    <Page
      title="Account"
      description={`Signed in as ${me?.user.username ?? ''}.`}
      actions={
        <div className="flex gap-2">
          {me?.user.roles.map((role) => (
            <Tag key={role}>{role}</Tag>
          ))}
        </div>
      }
    >
      <TokensCard />
      <SessionsCard />
      <LinkCard />
      <PasswordCard />
    </Page>
  );
}

function TokensCard(): ReactNode {
  const tokens = useQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  return (
    <Card
      title="Tokens"
      description="Tokens let programs use this server on your behalf."
      isFlush
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
          Create token
        </Button>
      }
    >
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={KeyRound} title="No tokens yet">
              <p>Create a token to let a script or agent use this server without your password.</p>
            </EmptyState>
          ) : (
            <Table label="Token list" rows={all} columns={tokenColumns} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}

const tokenColumns: readonly Column<Token>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium break-words">{name}</span>,
  },
  {
    title: 'Starts with',
    isOptional: true,
    cell: ({ starts_with: start }) => <span className="font-mono text-xs">{start}…</span>,
  },
  {
    title: 'Access',
    cell: ({ scopes }) => (
      <span className="flex flex-wrap gap-1">
        {scopes.map((scope) => (
          <Tag key={scope}>{scope}</Tag>
        ))}
      </span>
    ),
  },
  timeColumn('Last used', ({ last_used_at: at }) => at),
  timeColumn('Expires', ({ expires_at: at }) => at, { isOptional: true }),
  {
    title: 'Revoke',
    isTitleHidden: true,
    align: 'right',
    cell: (token) => <RevokeToken token={token} />,
  },
];

function RevokeToken({ token: { id, name } }: { readonly token: Token }): ReactNode {
  const revoke = useAction({
    failed: 'Could not revoke the token',
    done: () => `Revoked ${name}`,
    touches: ['accounts'],
    run: () => accountApi.DELETE('/tokens/{id}', { params: { id } }),
  });
  return (
    <ConfirmButton
      size="small"
      variant="danger"
      aria-label={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      action="Revoke token"
      mutation={revoke}
      explanation={<p>Programs that use this token lose access immediately. This cannot be undone.</p>}
    >
      Revoke
    </ConfirmButton>
  );
}

const scopes = [
  { value: 'read', label: 'Read: everything you can read' },
  { value: 'write', label: 'Write: everything you can do except administration' },
  { value: 'admin', label: 'Admin: everything you can do' },
] as const;

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Until revoked' },
] as const;

function NewTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('write');
  const [days, setDays] = useState<(typeof lifetimes)[number]['value']>('90');
  const create = useAction<void, string>({
    failed: 'Could not create the token',
    touches: ['accounts'],
    run: async () => {
      const expiry = days === '' ? {} : { days: Number(days) };
      const { data } = await accountApi.POST('/tokens', { body: { name, scopes: [scope], ...expiry } });
      return data.secret;
    },
  });
  if (create.data !== undefined) return <CreatedToken secret={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Create token"
      description="For a script, an agent or another machine."
      action="Create token"
      isBusy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        help="The program that will use the token."
        required
        maxLength={64}
        value={name}
        onChange={setName}
      />
      <Choice label="Access" value={scope} options={scopes} onChange={setScope} />
      <Choice label="Valid for" value={days} options={lifetimes} onChange={setDays} />
    </FormDialog>
  );
}

function CreatedToken({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog
      title="Copy the token now"
      description="The token is shown only once; Holdfast stores only its hash."
      isOpen
      isPersistent
      onClose={onClose}
    >
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-3 font-mono text-[13px]">
        <code className="min-w-0 flex-1 break-all">{secret}</code>
        <CopyButton text={secret} label="Copy token" />
      </div>
      <p className="mt-3 text-[13px] text-muted">
        Programs send it in the header <code className="font-mono">Authorization: Bearer …</code>.
      </p>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SessionsCard(): ReactNode {
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
    timeColumn('Last seen', ({ last_seen_at: at }) => at),
    timeColumn('Signed in', ({ created_at: at }) => at, { isOptional: true }),
    timeColumn('Expires', ({ expires_at: at }) => at, { isOptional: true }),
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
    <Card
      title="Sessions"
      description="Browsers where you are signed in."
      isFlush
      actions={(sessions.data?.length ?? 0) > 1 && <EndOtherSessions />}
    >
      <Loaded query={sessions}>
        {(all) => <Table label="Session list" rows={all} columns={columns} keyOf={({ id }) => id} />}
      </Loaded>
    </Card>
  );
}

function EndOtherSessions(): ReactNode {
  const end = useAction({
    failed: 'Could not end the other sessions',
    done: ({ revoked }: { readonly revoked: number }) => `Ended ${revoked} session${revoked === 1 ? '' : 's'}`,
    touches: ['accounts'],
    run: async () => (await accountApi.POST('/sessions/revoke-others', {})).data,
  });
  return (
    <Button isBusy={end.isPending} onClick={() => end.mutate()}>
      End all other sessions
    </Button>
  );
}

/** Shown only if the server has an OpenID Connect provider. */
function LinkCard(): ReactNode {
  const { data: state } = useQuery(stateQuery);
  return state?.has_oidc === true ? <OidcCard /> : null;
}

function OidcCard(): ReactNode {
  const link = useQuery(linkQuery);
  const [{ error }] = useFilters();
  const start = useAction({
    failed: 'Could not reach the sign-in provider',
    run: async () => window.location.assign((await accountApi.POST('/oidc-link', {})).data.url),
  });
  const remove = useAction({
    failed: 'Could not unlink the account',
    done: () => 'Unlinked the account',
    touches: ['accounts'],
    run: () => accountApi.DELETE('/oidc-link', {}),
  });
  return (
    <Card title="OpenID Connect" description="Sign in through this server&rsquo;s provider instead of with a password.">
      <Loaded query={link}>
        {({ is_linked: isLinked }) => (
          <div className="flex flex-wrap items-center gap-3">
            <Badge tone={isLinked ? 'good' : 'paused'}>{isLinked ? 'Linked' : 'Not linked'}</Badge>
            {isLinked ? (
              <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
                Unlink account
              </Button>
            ) : (
              <Button variant="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
                Link account
              </Button>
            )}
            {error !== undefined && (
              <p role="alert" className="text-bad">
                {signInFailures.get(error) ?? 'The account could not be linked.'}
              </p>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function PasswordCard(): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const me = useMe();
  const change = useAction({
    failed: 'Could not change the password',
    atField: ['CREDENTIALS_WRONG', 'PASSWORD_WEAK'],
    done: () => 'Password changed. Your other sessions were signed out.',
    touches: ['accounts'],
    run: async () => {
      await accountApi.POST('/password', { body: { current, next } });
      setCurrent('');
      setNext('');
    },
  });
  const code = change.error === null ? undefined : reasonOf(change.error).code;
  return (
    <Card title="Password" description="Changing the password signs you out everywhere else.">
      <Form className="grid max-w-md gap-4" onSubmit={() => change.mutate()}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" hidden readOnly autoComplete="username" value={me?.user.username ?? ''} />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          error={code === 'CREDENTIALS_WRONG' ? 'This is not your current password.' : undefined}
          value={current}
          onChange={setCurrent}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          help={PASSWORD_HELP}
          error={code === 'PASSWORD_WEAK' ? change.error?.message : undefined}
          value={next}
          onChange={setNext}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={change.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Card>
  );
}
