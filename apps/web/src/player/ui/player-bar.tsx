import { PanelRightOpen, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { lazyPart } from '../../lib/lazy-part.ts';
import { useStore } from '../../lib/store.ts';
import { Cover } from '../../pages/books/cover.tsx';
import { pageKeys } from '../../shell/page-keys.ts';
import { Announce } from '../../ui/announce.tsx';
import { IconButton } from '../../ui/button.tsx';
import { changeSpeed, goToChapter, seekTo, skip, toggleMute } from '../engine/controls.ts';
import { closePlayer } from '../engine/player.ts';
import { chapterTitle } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { togglePlay } from '../player.ts';
import { playerState } from '../state.ts';
import {
  Notices,
  PlayButton,
  SeekBar,
  SleepChoice,
  sleepText,
  SpeedChoice,
  Transport,
  VolumeControl,
} from './controls.tsx';

const NowPlaying = lazyPart(async () => (await import('./now-playing.tsx')).NowPlaying);

export function PlayerBar(): ReactNode {
  const view = useStore(playerState);
  const [isOpen, setOpen] = useState(false);
  usePlayerKeys();
  useMediaSession();
  if (view === undefined) return null;
  return (
    <section
      aria-label="Player"
      data-player
      className="@container sticky bottom-0 z-20 border-t border-line bg-raised print:hidden"
    >
      <Notices view={view} />
      <ThinProgress view={view} />
      <div className="mx-auto grid max-w-screen-2xl grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-3 py-2 @2xl:grid-cols-[minmax(0,1fr)_minmax(19rem,1.6fr)_auto] @2xl:px-6">
        <CurrentBook view={view} onOpen={() => setOpen(true)} />
        <div className="hidden min-w-0 @2xl:block">
          <Transport view={view} />
          <SeekBar view={view} />
        </div>
        <div className="flex items-center justify-end gap-1">
          <span className="hidden items-center gap-1 @4xl:flex">
            <SpeedChoice view={view} />
            <SleepChoice view={view} />
          </span>
          <span className="hidden @5xl:block">
            <VolumeControl view={view} />
          </span>
          <span className="@2xl:hidden">
            <PlayButton view={view} />
          </span>
          <span className="hidden @md:block">
            <IconButton icon={PanelRightOpen} label="Show chapters and bookmarks" onClick={() => setOpen(true)} />
          </span>
          <IconButton icon={X} label="Close player" onClick={closePlayer} />
        </div>
      </div>
      <Announce text={`${statusText(view)}${sleepText(view) === '' ? '' : `. ${sleepText(view)}`}`} />
      <Suspense>{isOpen && <NowPlaying onClose={() => setOpen(false)} />}</Suspense>
    </section>
  );
}

function statusText({ status, book, trouble }: PlayerView): string {
  if (trouble !== undefined) return '';
  if (status === 'playing') return `Playing ${book.title}`;
  return status === 'elsewhere' ? `Playing ${book.title} in another tab` : '';
}

/** A thin progress line for narrow screens, which have no room for a slider. */
function ThinProgress({ view: { positionMs, durationMs } }: { readonly view: PlayerView }): ReactNode {
  const percent = durationMs === 0 ? 0 : (positionMs / durationMs) * 100;
  return (
    <div aria-hidden className="h-0.5 bg-line @2xl:hidden">
      <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}

function CurrentBook({ view, onOpen }: { readonly view: PlayerView; readonly onOpen: () => void }): ReactNode {
  const { book, timeline, positionMs, status } = view;
  const chapter = chapterTitle(timeline, positionMs);
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

const mediaActions: readonly (readonly [MediaSessionAction, (details: MediaSessionActionDetails) => void])[] = [
  ['play', () => playerState.get()?.status !== 'playing' && togglePlay()],
  ['pause', () => playerState.get()?.status === 'playing' && togglePlay()],
  ['seekbackward', () => skip(-1)],
  ['seekforward', () => skip(1)],
  ['previoustrack', () => goToChapter(-1)],
  ['nexttrack', () => goToChapter(1)],
  ['seekto', ({ seekTime = 0 }) => seekTo(seekTime * 1_000)],
];

const sizes = [96, 256, 512] as const;

/** Connects the player to media keys, headphone buttons and the lock screen. */
function useMediaSession(): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return undefined;
    const { mediaSession } = navigator;
    for (const [action, handle] of mediaActions) {
      try {
        mediaSession.setActionHandler(action, handle);
      } catch {
        // The browser does not support this action.
      }
    }
    let shown = '';
    const show = (): void => {
      const view = playerState.get();
      if (view === undefined) return;
      mediaSession.playbackState = view.status === 'playing' ? 'playing' : 'paused';
      if (shown !== (shown = describe(view))) mediaSession.metadata = metadataOf(view);
      const { durationMs, positionMs, speed } = view;
      const position = Math.min(positionMs, durationMs) / 1_000;
      if (durationMs > 0)
        mediaSession.setPositionState({ duration: durationMs / 1_000, position, playbackRate: speed });
    };
    show();
    const forget = playerState.subscribe(show);
    return () => {
      forget();
      mediaSession.metadata = null;
      mediaSession.playbackState = 'none';
      for (const [action] of mediaActions) mediaSession.setActionHandler(action, null);
    };
  }, []);
}

function describe(view: PlayerView): string {
  return `${view.book.id} ${view.book.cover ?? ''} ${chapterTitle(view.timeline, view.positionMs) ?? ''}`;
}

function metadataOf(view: PlayerView): MediaMetadata {
  const { title, authors, cover } = view.book;
  const chapter = chapterTitle(view.timeline, view.positionMs);
  return new MediaMetadata({
    title: chapter ?? title,
    artist: authors.map(({ name }) => name).join(', '),
    album: title,
    artwork:
      cover === null
        ? []
        : sizes.map((size) => ({ src: `${cover}&size=${size}`, sizes: `${size}x${size}`, type: 'image/webp' })),
  });
}

const keyActions: Readonly<Record<string, (isShifted: boolean) => void>> = {
  ' ': togglePlay,
  ArrowLeft: (isShifted) => (isShifted ? goToChapter(-1) : skip(-1)),
  ArrowRight: (isShifted) => (isShifted ? goToChapter(1) : skip(1)),
  '[': () => changeSpeed(-1),
  ']': () => changeSpeed(1),
  m: toggleMute,
};

/** Player shortcuts that work on every page, unless the focused element uses the key. */
function usePlayerKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = keyActions[event.key];
      if (act === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTaken(event)) return;
      event.preventDefault();
      act(event.shiftKey);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const WRITING = 'input:not([type=range]), textarea, select, [contenteditable]';
const PRESSED = 'button, a, summary, [role=button], [role=option], [role=checkbox], [role=switch], [tabindex="0"]';

function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog]:not([data-player])') !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(WRITING) !== null || pageKeys.get().some((each) => each.key === key)) return true;
  // The space bar presses buttons, and arrow keys move through lists.
  if (key === ' ') return target.closest(PRESSED) !== null;
  if (!key.startsWith('Arrow')) return false;
  return target.closest('[data-player]') === null && target.matches(`${PRESSED}, [role], input`);
}
