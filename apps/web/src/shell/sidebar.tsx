import { Anchor, LogOut } from 'lucide-react';
import type { ReactNode } from 'react';

import { useMe } from '../lib/permissions.ts';
import { IconButton } from '../ui/button.tsx';
import { Navigation } from './navigation.tsx';
import { useSignOut } from './use-sign-out.ts';

export function Brand(): ReactNode {
  return (
    <span className="flex items-center gap-2.5 text-[15px] font-semibold tracking-tight">
      <span className="grid size-7 place-items-center rounded-lg bg-accent text-on-accent">
        <Anchor className="size-4" aria-hidden />
      </span>
      Holdfast
    </span>
  );
}

export function Sidebar(): ReactNode {
  return (
    <div className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-6 border-r border-line bg-surface p-4 lg:flex print:hidden">
      <div className="px-2 pt-1">
        <Brand />
      </div>
      <div className="flex-1 overflow-y-auto">
        <Navigation />
      </div>
      <WhoIsHere />
    </div>
  );
}

export function WhoIsHere(): ReactNode {
  const me = useMe();
  const signOut = useSignOut();
  if (me === undefined) return null;
  return (
    <div className="flex items-center gap-3 border-t border-line pt-3 pl-2">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-strong uppercase"
      >
        {me.user.username.slice(0, 1)}
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{me.user.username}</p>
        <p className="truncate text-xs text-muted">{me.user.roles.join(', ')}</p>
      </div>
      <IconButton label="Sign out" onClick={() => signOut.mutate()}>
        <LogOut className="size-4" aria-hidden />
      </IconButton>
    </div>
  );
}
