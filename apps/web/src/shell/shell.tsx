import { Outlet, useLocation } from '@tanstack/react-router';
import { CloudOff, TriangleAlert } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { serverTrouble } from '../api/query-client.ts';
import { useMay } from '../lib/permissions.ts';
import { lazyPart, preloadWhenIdle } from '../lib/lazy-part.ts';
import { useStore } from '../lib/store.ts';
import { readDownloads } from '../offline/downloads.ts';
import { installServiceWorker } from '../offline/install.ts';
import { showsStoredAnswers } from '../offline/stored-answers.ts';
import { activityStream } from '../live/activity-stream.ts';
import { followStream, liveState } from '../live/streams.ts';
import { usePages } from '../pages/registry.ts';
import { closePlayerBeforeSignOut, restorePlayer } from '../player/player.ts';
import { playerState } from '../player/state.ts';
import { rememberVisit } from './recent-visits.ts';
import { loadModal } from '../ui/modal.tsx';
import { Sidebar, Topbar } from './navigation.tsx';
import { helpIsOpen, paletteIsOpen, useShortcuts } from './shortcuts.ts';
import { useInboxInTab } from './use-inbox.ts';

export function Shell(): ReactNode {
  const isFollowing = useMay('system:read');
  useEffect(() => {
    return isFollowing ? followStream(activityStream, 'shell') : undefined;
  }, [isFollowing]);
  useShortcuts();
  usePreloadedPages();
  useRememberedVisits();
  useInboxInTab();
  useEffect(() => {
    installServiceWorker();
    void readDownloads();
  }, []);
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
      <PaletteSlot />
      <HelpSlot />
    </div>
  );
}

function usePreloadedPages(): void {
  const pages = usePages();
  const paths = pages.map(({ path }) => path).join(' ');
  // oxlint-disable-next-line react/exhaustive-deps -- the pages change only with their paths
  useEffect(() => preloadWhenIdle([loadPalette, loadHelp, loadModal, ...pages.map(({ load }) => load)]), [paths]);
}

const TITLE_WAIT_MS = 1_500;

/** Records a visit after the page has had time to set its title. */
function useRememberedVisits(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => rememberVisit(pathname, document.title), TITLE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [pathname]);
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

const loadPalette = () => import('./palette.tsx');
const Palette = lazyPart(async () => (await loadPalette()).Palette);

function PaletteSlot(): ReactNode {
  const isOpen = useStore(paletteIsOpen);
  const [isUsed, setUsed] = useState(false);
  if (isOpen && !isUsed) setUsed(true);
  return <Suspense>{isUsed && <Palette />}</Suspense>;
}

const loadHelp = () => import('./shortcut-help.tsx');
const ShortcutHelp = lazyPart(async () => (await loadHelp()).ShortcutHelp);

function HelpSlot(): ReactNode {
  return <Suspense>{useStore(helpIsOpen) && <ShortcutHelp />}</Suspense>;
}

const Bar = lazyPart(async () => (await import('../player/ui/player-bar.tsx')).PlayerBar);

function PlayerSlot(): ReactNode {
  const isThere = useSyncExternalStore(playerState.subscribe, () => playerState.get() !== undefined);
  useEffect(() => {
    void restorePlayer();
    return () => void closePlayerBeforeSignOut();
  }, []);
  return <Suspense>{isThere && <Bar />}</Suspense>;
}

/** Shows a server-wide problem until the server responds again. */
function ServerBanner(): ReactNode {
  const trouble = useStore(serverTrouble);
  const live = useStore(liveState);
  const hasStored = useStore(showsStoredAnswers);
  const isLost = live === 'lost' || trouble?.status === 0;
  return (
    <div role="status">
      {hasStored ? (
        <Banner icon={<CloudOff className="size-5" aria-hidden />} title="Offline.">
          The server is unreachable. Pages show the data that this device received last. Downloaded books play; your
          listening position is sent later.
        </Banner>
      ) : isLost ? (
        <Banner icon={<CloudOff className="size-5" aria-hidden />} title="Reconnecting …">
          The server is unreachable. Check that <code className="font-mono text-[13px]">holdfast serve</code> is
          running. This page reconnects automatically; saved data is safe.
        </Banner>
      ) : (
        trouble !== undefined && (
          <Banner icon={<TriangleAlert className="size-5" aria-hidden />} title={trouble.title}>
            {trouble.hint} <span className="font-mono text-xs">{trouble.code}</span>
          </Banner>
        )
      )}
    </div>
  );
}

interface BannerProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function Banner({ icon, title, children }: BannerProps): ReactNode {
  return (
    <div className="flex gap-3 border-b border-line bg-warn-soft px-4 py-3 text-warn sm:px-8">
      <span className="shrink-0">{icon}</span>
      <p className="min-w-0 break-words">
        <strong className="font-semibold">{title}</strong> <span>{children}</span>
      </p>
    </div>
  );
}
