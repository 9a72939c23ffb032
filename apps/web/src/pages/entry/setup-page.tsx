import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { authApi } from '../../api/clients.ts';
import { stateQuery } from '../../api/queries.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';

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
      description="This server has no owner yet. The one-time link was printed in the terminal when the server started."
    >
      <p>Lost it? Restart the server to get a new one.</p>
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
 * The secret of the one-time link. Removed from the address before anything else runs, so that it does not stay in the
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
