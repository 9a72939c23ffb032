import { useMutation, type UseMutationResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';

import { authApi } from '../../api/clients.ts';
import { stateQuery } from '../../api/queries.ts';
import type { Filters } from '../../lib/filters.ts';
import { signInFailures } from '../../lib/sign-in-failures.ts';
import { PASSWORD_HELP, PASSWORD_LENGTH_MIN } from '../../lib/password.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { Brand } from '../../shell/navigation.tsx';
import { setTabTitle } from '../../lib/tab-title.ts';
import { Button, buttonClass, Command } from '../../ui/button.tsx';
import { Field, Form } from '../../ui/field.tsx';
import { Failure, Loaded } from '../../ui/page.tsx';

export function SignInPage(): ReactNode {
  const { data } = useQuery(stateQuery);
  return (
    <EntryFrame title="Sign in" description="Sign in to this Holdfast server.">
      {data?.needs_setup === true && (
        <p className="rounded-lg bg-info-soft p-3 text-info">
          This server has no owner yet.{' '}
          <Link to="/setup" className="font-medium underline">
            Set up the owner account
          </Link>
        </p>
      )}
      <SignInFailure />
      {data?.has_oidc === true && <OidcLink />}
      <EntryForm nameLabel="User name or e-mail" action="Sign in" enter={(body) => authApi.POST('/login', { body })} />
    </EntryFrame>
  );
}

/** A link instead of a button, because the browser leaves the dashboard for the provider and returns signed in. */
function OidcLink(): ReactNode {
  const { next }: Filters = useSearch({ strict: false });
  const query = new URLSearchParams({ next: safePath(next) });
  return (
    <>
      <a href={`/api/auth/oidc/start?${query.toString()}`} className={buttonClass('primary')}>
        Sign in with OpenID Connect
      </a>
      <p className="text-center text-[13px] text-muted">or with a password</p>
    </>
  );
}

/**
 * Shows why the sign-in through OpenID Connect failed. The URL holds only the error code, because anybody could forge a
 * text in a URL.
 */
function SignInFailure(): ReactNode {
  const { error }: Filters = useSearch({ strict: false });
  const text = error === undefined ? undefined : (signInFailures.get(error) ?? 'The sign-in failed.');
  if (text === undefined) return null;
  return (
    <p role="alert" className="rounded-lg bg-bad-soft p-3 text-bad">
      {text}{' '}
      <a href={`/errors#${encodeURIComponent(error ?? '')}`} className="font-medium underline">
        What to do
      </a>
    </p>
  );
}

export function SetupPage(): ReactNode {
  const secret = useStore(setupSecret);
  const state = useQuery(stateQuery);
  return (
    <Loaded query={state}>
      {({ needs_setup: isFree }) => {
        if (!isFree) return <HasOwner />;
        return secret === undefined ? <NoSecret /> : <SetupForm secret={secret} />;
      }}
    </Loaded>
  );
}

function HasOwner(): ReactNode {
  return (
    <EntryFrame
      title="Already set up"
      description="This server already has an owner, so the one-time link no longer works."
    >
      <Link to="/sign-in" className={buttonClass('primary')}>
        Sign in
      </Link>
    </EntryFrame>
  );
}

function NoSecret(): ReactNode {
  return (
    <EntryFrame
      title="Open the one-time link"
      description="This server has no owner yet. The server printed the one-time link in its terminal when it started."
    >
      <p>Lost the link? Restart the server to get a new one.</p>
      <Command text="holdfast serve" />
    </EntryFrame>
  );
}

function SetupForm({ secret }: { readonly secret: string }): ReactNode {
  return (
    <EntryFrame
      title="Welcome to Holdfast"
      description="Choose a user name and a password for the owner of this server."
    >
      <EntryForm
        nameLabel="User name"
        isNewPassword
        action="Create owner account"
        enter={({ name, password }) => authApi.POST('/setup', { body: { secret, username: name, password } })}
      />
    </EntryFrame>
  );
}

/**
 * The secret of the one-time link. It is removed from the URL before other code runs, so that it does not stay in the
 * browser history.
 */
const setupSecret = createStore<string | undefined>(undefined);

function take(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/setup' || hash.length <= 1) return;
  setupSecret.set(decodeURIComponent(hash.slice(1)));
  window.history.replaceState(window.history.state, '', pathname + search);
}

take();
window.addEventListener('hashchange', take);

interface Credentials {
  readonly name: string;
  readonly password: string;
}

interface EntryFormProps {
  readonly nameLabel: string;
  readonly isNewPassword?: boolean;
  readonly action: string;
  readonly enter: (given: Credentials) => Promise<unknown>;
}

const newPassword = { autoComplete: 'new-password', minLength: PASSWORD_LENGTH_MIN, help: PASSWORD_HELP } as const;
const knownPassword = { autoComplete: 'current-password' } as const;

function EntryForm(props: EntryFormProps): ReactNode {
  const { nameLabel, isNewPassword = false, action } = props;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEntry(() => props.enter({ name, password }));
  return (
    <Form onSubmit={() => enter.mutate()}>
      <Field
        label={nameLabel}
        name="username"
        // The page contains only this form, so focusing it skips no content.
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        required
        value={name}
        onChange={setName}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        {...(isNewPassword ? newPassword : knownPassword)}
        value={password}
        onChange={setPassword}
      />
      {enter.isError && (
        <div className="-mx-5">
          <Failure error={enter.error} />
        </div>
      )}
      <Button type="submit" variant="primary" isBusy={enter.isPending}>
        {action}
      </Button>
    </Form>
  );
}

function useEntry(enter: () => Promise<unknown>): UseMutationResult<void, Error, void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next }: Filters = useSearch({ strict: false });
  return useMutation({
    mutationFn: async () => {
      await enter();
      client.clear();
      await navigate({ href: safePath(next), replace: true });
    },
  });
}

/** Returns a path on this site, so that a manipulated link cannot lead to another site. */
function safePath(next: string | undefined): string {
  const isOurs = next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in');
  return isOurs ? next : '/';
}

interface EntryFrameProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
}

function EntryFrame({ title, description, children }: EntryFrameProps): ReactNode {
  useEffect(() => {
    setTabTitle(title);
  }, [title]);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-sm gap-6">
        <Brand />
        <div className="grid gap-5 rounded-2xl border border-line bg-surface p-6 shadow-sm">
          <div>
            <h1 className="text-xl font-semibold">{title}</h1>
            <p className="mt-1 text-muted">{description}</p>
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}
