import { useEffect } from 'react';

import { goToChapter, seekTo, skip } from '../engine/controls.ts';
import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { togglePlay } from '../player.ts';
import { playerState } from '../state.ts';

const actions: readonly (readonly [MediaSessionAction, (details: MediaSessionActionDetails) => void])[] = [
  ['play', () => playerState.get()?.status !== 'playing' && togglePlay()],
  ['pause', () => playerState.get()?.status === 'playing' && togglePlay()],
  ['seekbackward', () => skip(-1)],
  ['seekforward', () => skip(1)],
  ['previoustrack', () => goToChapter(-1)],
  ['nexttrack', () => goToChapter(1)],
  ['seekto', ({ seekTime = 0 }) => seekTo(seekTime * 1_000)],
];

const sizes = [96, 256, 512] as const;

/** Media keys, headphone buttons and the lock screen. */
export function useMediaSession(): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return undefined;
    const { mediaSession } = navigator;
    for (const [action, handle] of actions) {
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
      if (view.durationMs > 0) mediaSession.setPositionState(positionOf(view));
    };
    show();
    const forget = playerState.subscribe(show);
    return () => {
      forget();
      mediaSession.metadata = null;
      mediaSession.playbackState = 'none';
      for (const [action] of actions) mediaSession.setActionHandler(action, null);
    };
  }, []);
}

function chapterOf({ timeline, positionMs }: PlayerView): string | undefined {
  return timeline === undefined ? undefined : chaptersOf(timeline)[chapterAt(timeline, positionMs)]?.title;
}

function describe(view: PlayerView): string {
  return `${view.book.id} ${view.book.cover ?? ''} ${chapterOf(view) ?? ''}`;
}

function metadataOf(view: PlayerView): MediaMetadata {
  const { title, authors, cover } = view.book;
  const chapter = chapterOf(view);
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

function positionOf({ durationMs, positionMs, speed }: PlayerView): MediaPositionState {
  return { duration: durationMs / 1_000, position: Math.min(positionMs, durationMs) / 1_000, playbackRate: speed };
}
