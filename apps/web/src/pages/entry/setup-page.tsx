import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { stateQuery } from '../../api/queries.ts';
import { useStore } from '../../lib/store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { SetupForm } from './setup-form.tsx';
import { setupSecret } from './setup-secret.ts';

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
    <EntryFrame title="Already set up" description="This server has an owner, so the one-time link no longer works.">
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
      description="Nobody owns this server yet. The link that makes you the owner was printed in the terminal when the server started."
    >
      <p>If it is gone, stop the server and start it again; it prints a new one.</p>
      <Command text="holdfast serve" />
    </EntryFrame>
  );
}
