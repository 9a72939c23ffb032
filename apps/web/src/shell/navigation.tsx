import type { UseMutationResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Anchor, LogOut, Menu, Monitor, Moon, Pause, Play, RefreshCw, Search, Sun, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { authApi } from '../api/clients.ts';
import { queryClient } from '../api/query-client.ts';
import { useAction } from '../api/use-action.ts';
import { useMe } from '../lib/permissions.ts';
import { useStore } from '../lib/store.ts';
import { setTheme, themes, useTheme } from '../lib/theme.ts';
import type { LiveState } from '../live/connection.ts';
import { liveState, toggleLive } from '../live/streams.ts';
import { type PageEntry, usePages } from '../pages/registry.ts';
import { closePlayerBeforeSignOut } from '../player/player.ts';
import { IconButton } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { paletteIsOpen } from './shortcuts.ts';
import { useInboxCount } from './use-inbox.ts';

export function Topbar(): ReactNode {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-page px-3 sm:px-6 print:hidden">
      <div className="lg:hidden">
        <IconButton icon={Menu} label="Open menu" onClick={() => setMenuOpen(true)} />
      </div>
      <button
        type="button"
        onClick={() => paletteIsOpen.set(true)}
        className="flex h-9 w-full max-w-sm min-w-0 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-muted hover:border-line-strong"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 truncate text-left">Find anything …</span>
        <kbd className="hidden rounded border border-line px-1.5 font-sans text-xs sm:block">Ctrl K</kbd>
      </button>
      <div className="flex-1" />
      <LiveButton />
      <ThemeButton />
      <Drawer isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
    </header>
  );
}

const icons = { system: Monitor, light: Sun, dark: Moon } as const;
const names = { system: 'system', light: 'light', dark: 'dark' } as const;

function ThemeButton(): ReactNode {
  const theme = useTheme();
  const Icon = icons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <IconButton
      icon={Icon}
      label={`Appearance: ${names[theme]}. Change to ${names[next]}`}
      onClick={() => setTheme(next)}
    />
  );
}

function Drawer({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      aria-label="Menu"
      className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-6 border-r border-line bg-surface p-4"
    >
      <div className="flex items-center justify-between pl-2">
        <Brand />
        <IconButton icon={X} label="Close menu" onClick={onClose} />
      </div>
      <div className="flex-1 overflow-y-auto">
        <Navigation onGo={onClose} />
      </div>
      <CurrentUser />
    </Modal>
  );
}

const words: Readonly<Record<LiveState, { readonly word: string; readonly dot: string }>> = {
  off: { word: 'Off', dot: 'bg-muted' },
  connecting: { word: 'Connecting', dot: 'bg-info' },
  live: { word: 'Live', dot: 'bg-good' },
  paused: { word: 'Paused', dot: 'bg-muted' },
  lost: { word: 'Reconnecting', dot: 'bg-warn' },
  refused: { word: 'Waiting', dot: 'bg-warn' },
};

function LiveButton(): ReactNode {
  const state = useStore(liveState);
  if (state === 'off') return null;
  const { word, dot } = words[state];
  const Icon = state === 'paused' ? Play : state === 'live' ? Pause : RefreshCw;
  return (
    <button
      type="button"
      onClick={toggleLive}
      aria-label={state === 'paused' ? 'Paused. Resume live updates' : `${word}. Pause live updates`}
      title={state === 'paused' ? 'Resume live updates (p)' : 'Pause live updates (p)'}
      className="flex h-9 shrink-0 items-center gap-2 rounded-lg px-2.5 text-[13px] font-medium text-muted hover:bg-sunken hover:text-text"
    >
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      <span className="hidden sm:inline">{word}</span>
      <Icon className="size-3.5" aria-hidden />
    </button>
  );
}

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
    <aside
      aria-label="Sidebar"
      className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-6 border-r border-line bg-surface p-4 lg:flex print:hidden"
    >
      <div className="px-2 pt-1">
        <Brand />
      </div>
      <div className="flex-1 overflow-y-auto">
        <Navigation />
      </div>
      <CurrentUser />
    </aside>
  );
}

function CurrentUser(): ReactNode {
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
      <IconButton icon={LogOut} label="Sign out" onClick={() => signOut.mutate()} />
    </div>
  );
}

function Navigation({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const visible = usePages();
  const sections = [...new Set(visible.map(({ section }) => section))];
  return (
    <nav aria-label="Pages" className="grid gap-5">
      {sections.map((section) => (
        <div key={section}>
          <h2 className="px-3 pb-1 text-xs font-medium text-muted">{section}</h2>
          <ul className="grid gap-0.5">
            {visible
              .filter((page) => page.section === section)
              .map((page) => (
                <li key={page.path}>
                  <Entry page={page} {...(onGo === undefined ? {} : { onGo })} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Entry({ page, onGo }: { readonly page: PageEntry; readonly onGo?: () => void }): ReactNode {
  const { icon: Icon, path, label } = page;
  return (
    <Link
      to={path}
      {...(onGo === undefined ? {} : { onClick: onGo })}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className="flex h-9 items-center gap-3 rounded-lg px-3 font-medium transition-colors"
      activeProps={{ className: 'bg-accent-soft text-accent-strong' }}
      inactiveProps={{ className: 'text-muted hover:bg-sunken hover:text-text' }}
    >
      <Icon className="size-4" aria-hidden />
      {label}
      {path === '/inbox' && <InboxCount />}
    </Link>
  );
}

function InboxCount(): ReactNode {
  const count = useInboxCount() ?? 0;
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-2 text-xs leading-5 text-on-accent">
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

export function useSignOut(): UseMutationResult<void, Error, void> {
  const navigate = useNavigate();
  return useAction<void, void>({
    failed: 'Could not sign out',
    run: async () => {
      await closePlayerBeforeSignOut();
      await authApi.POST('/logout');
      await navigate({ to: '/sign-in' });
      // Removes all cached data, so that the next user does not see it.
      queryClient.clear();
    },
  });
}
