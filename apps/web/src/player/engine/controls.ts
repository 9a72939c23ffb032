import { booksApi } from '../../api/clients.ts';
import type { PlayableBook } from '../book.ts';
import { type Sleep, sleepAfter, sleepAtChapterEnd } from '../model/sleep.ts';
import { clamp, nextChapter, previousChapter } from '../model/timeline.ts';
import { SPEED_MAX, SPEED_MIN } from '../model/view.ts';
import { playerState } from '../state.ts';
import { preferences } from '../preferences.ts';
import { happen, wired } from './core.ts';
import { keep } from './engine.ts';
import { remember } from './memory.ts';

/** What a listener can do, from whichever button or key. */

export function seekTo(toMs: number): void {
  const view = playerState.get();
  if (view === undefined) return;
  const positionMs = clamp(Math.round(toMs), 0, view.durationMs);
  if (view.status !== 'elsewhere') return happen({ is: 'sought', toMs: positionMs });
  wired()?.tabs.tell({ is: 'go', bookId: view.book.id, positionMs });
  happen({ is: 'mirrored', positionMs, isPlaying: true });
}

export function skip(direction: -1 | 1): void {
  const view = playerState.get();
  const { skip_back_seconds: back, skip_forward_seconds: forward } = preferences.get();
  if (view !== undefined) seekTo(view.positionMs + (direction < 0 ? -back : forward) * 1_000);
}

export function goToChapter(direction: -1 | 1): void {
  const view = playerState.get();
  if (view?.timeline === undefined) return;
  const { timeline, positionMs } = view;
  const to = direction < 0 ? previousChapter(timeline, positionMs) : nextChapter(timeline, positionMs);
  if (to !== undefined) seekTo(to);
}

const SPEED_STEP = 0.1;

export function changeSpeed(direction: -1 | 1): void {
  const speed = playerState.get()?.speed;
  if (speed !== undefined) setSpeed(Math.round((speed + direction * SPEED_STEP) * 100) / 100);
}

let saving: ReturnType<typeof setTimeout> | undefined;

/** Kept for this book: one narrator talks faster than another. */
export function setSpeed(wanted: number): void {
  const id = playerState.get()?.book.id;
  if (id === undefined) return;
  const speed = clamp(wanted, SPEED_MIN, SPEED_MAX);
  happen({ is: 'tuned', speed });
  keepTuning();
  const { books } = preferences.get();
  preferences.set({ ...preferences.get(), books: { ...books, [id]: { speed } } });
  clearTimeout(saving);
  saving = setTimeout(() => {
    // It is heard already; if it cannot be kept now, this browser still knows it.
    void booksApi.PUT('/preferences', { body: { books: { [id]: { speed } } } }).catch(() => undefined);
  }, 500);
}

export function setVolume(volume: number): void {
  happen({ is: 'tuned', volume, isMuted: false });
  keepTuning();
}

export function toggleMute(): void {
  const view = playerState.get();
  if (view !== undefined) happen({ is: 'tuned', isMuted: !view.isMuted });
  keepTuning();
}

export function sleepIn(choice: number | 'chapter' | undefined): void {
  const view = playerState.get();
  if (view?.timeline === undefined) return;
  const sleep: Sleep | undefined =
    choice === undefined
      ? undefined
      : choice === 'chapter'
        ? sleepAtChapterEnd(view.timeline, view.positionMs)
        : sleepAfter(choice);
  happen({ is: 'sleep', sleep });
}

export function answerOffer(isTaken: boolean): void {
  const offer = playerState.get()?.offer;
  if (offer === undefined) return;
  if (isTaken) happen({ is: 'sought', toMs: offer.positionMs });
  happen({ is: 'declined' });
  happen({ is: 'play' });
}

export function setQueue(queue: readonly PlayableBook[]): void {
  happen({ is: 'queued', queue });
  keep();
}

function keepTuning(): void {
  const view = playerState.get();
  if (view !== undefined) remember('tuning', { speed: view.speed, volume: view.volume, isMuted: view.isMuted });
}
