import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';

import { useMay } from '../lib/permissions.ts';
import { activityStream } from '../live/activity-stream.ts';
import { followStream } from '../live/streams.ts';
import { putPlayerAway, restorePlayer } from '../player/player.ts';
import { playerState } from '../player/state.ts';
import { Palette } from './palette.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';
import { ServerBanner } from './server-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

export function Shell(): ReactNode {
  const isFollowing = useMay('system:read');
  useEffect(() => {
    return isFollowing ? followStream(activityStream, 'shell') : undefined;
  }, [isFollowing]);
  useShortcuts();
  const content = useFocusOnArrival();
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Topbar />
        <ServerBanner />
        <main ref={content} id="content" tabIndex={-1} className="flex-1 px-4 py-6 outline-none sm:px-8 sm:py-8">
          <Outlet />
        </main>
        <PlayerSlot />
      </div>
      <Palette />
      <ShortcutHelp />
    </div>
  );
}

/** Moves the focus to a page after navigation, but not on the first load. */
function useFocusOnArrival(): React.RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return content;
}

const Bar = lazy(() => import('../player/ui/player-bar.tsx'));

/** The player bar, loaded when there is something to play. */
function PlayerSlot(): ReactNode {
  const isThere = useSyncExternalStore(playerState.subscribe, () => playerState.get() !== undefined);
  useEffect(() => {
    void restorePlayer();
    return () => void putPlayerAway();
  }, []);
  return <Suspense>{isThere && <Bar />}</Suspense>;
}
