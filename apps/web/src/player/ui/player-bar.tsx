import { PanelRightOpen, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

import { useStore } from '../../lib/store.ts';
import { Announce } from '../../ui/announce.tsx';
import { IconButton } from '../../ui/button.tsx';
import { closePlayer } from '../engine/player.ts';
import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { playerState } from '../state.ts';
import { SleepChoice, sleepWords, SpeedChoice, VolumeControl } from './choices.tsx';
import { Cover } from '../../pages/books/cover.tsx';
import { Notices } from './notices.tsx';
import { PlayButton } from './play-button.tsx';
import { SeekBar } from './seek-bar.tsx';
import { Transport } from './transport.tsx';
import { useMediaSession } from './use-media-session.ts';
import { usePlayerKeys } from './use-player-keys.ts';

const NowPlaying = lazy(() => import('./now-playing.tsx'));

// oxlint-disable-next-line import/no-default-export -- `lazy` wants it so
export default function PlayerBar(): ReactNode {
  const view = useStore(playerState);
  const [isOpen, setOpen] = useState(false);
  usePlayerKeys();
  useMediaSession();
  useRoomForBar();
  if (view === undefined) return null;
  return (
    <section
      aria-label="Player"
      data-player
      className="sticky bottom-0 z-20 border-t border-line bg-raised print:hidden"
    >
      <Notices view={view} />
      <Thin view={view} />
      <div className="mx-auto grid max-w-screen-2xl grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-3 py-2 sm:px-6 md:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_auto]">
        <WhatPlays view={view} onOpen={() => setOpen(true)} />
        <div className="hidden min-w-0 md:block">
          <Transport view={view} />
          <SeekBar view={view} />
        </div>
        <div className="flex items-center justify-end gap-1">
          <span className="hidden items-center gap-1 lg:flex">
            <SpeedChoice view={view} />
            <SleepChoice view={view} />
          </span>
          <span className="hidden xl:block">
            <VolumeControl view={view} />
          </span>
          <span className="md:hidden">
            <PlayButton view={view} />
          </span>
          <span className="hidden sm:block">
            <IconButton label="Show chapters and bookmarks" onClick={() => setOpen(true)}>
              <PanelRightOpen className="size-4" aria-hidden />
            </IconButton>
          </span>
          <IconButton label="Close player" onClick={closePlayer}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      </div>
      <Announce text={`${statusWords(view)}${sleepWords(view) === '' ? '' : `. ${sleepWords(view)}`}`} />
      <Suspense>{isOpen && <NowPlaying onClose={() => setOpen(false)} />}</Suspense>
    </section>
  );
}

function statusWords({ status, book, trouble }: PlayerView): string {
  if (trouble !== undefined) return '';
  if (status === 'playing') return `Playing ${book.title}`;
  return status === 'elsewhere' ? `Playing ${book.title} in another tab` : '';
}

/** Progress on narrow screens, which have no room for a slider. */
function Thin({ view: { positionMs, durationMs } }: { readonly view: PlayerView }): ReactNode {
  const percent = durationMs === 0 ? 0 : (positionMs / durationMs) * 100;
  return (
    <div aria-hidden className="h-0.5 bg-line md:hidden">
      <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}

function WhatPlays({ view, onOpen }: { readonly view: PlayerView; readonly onOpen: () => void }): ReactNode {
  const { book, timeline, positionMs, status } = view;
  const chapter = timeline === undefined ? undefined : chaptersOf(timeline)[chapterAt(timeline, positionMs)]?.title;
  const below =
    status === 'elsewhere' ? 'Playing in another tab' : (chapter ?? book.authors.map(({ name }) => name).join(', '));
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={`${book.title}, ${below}. Open player`}
      className="flex min-w-0 items-center gap-3 rounded-lg text-start hover:bg-sunken"
    >
      <span className="w-12 shrink-0">
        <Cover book={book} size={96} />
      </span>
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{book.title}</bdi>
        <bdi className="block truncate text-[13px] text-muted">{below}</bdi>
      </span>
    </button>
  );
}

const BAR_HEIGHT = '5.5rem';

/** Toasts appear above the bar. */
function useRoomForBar(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--player-height', BAR_HEIGHT);
    return () => void style.removeProperty('--player-height');
  }, []);
}
