import { clamp, nextChapter, previousChapter } from '../model/timeline.ts';
import { type Sleep, sleepAfter, sleepAtChapterEnd, SPEED_MAX, SPEED_MIN } from '../model/view.ts';
import { playerState, preferences } from '../state.ts';
import { remember } from './browser.ts';
import { currentPlayer } from './player.ts';

/** Actions for buttons, keys and the media controls of the operating system. */

export function seekTo(toMs: number): void {
  const view = playerState.get();
  if (view === undefined) return;
  const positionMs = clamp(Math.round(toMs), 0, view.durationMs);
  if (view.status === 'elsewhere') currentPlayer.get()?.seekInOtherTab(view.book.id, positionMs);
  else currentPlayer.get()?.dispatch({ type: 'seek', toMs: positionMs });
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

/** Each book has its own speed, because narrators speak at different speeds. */
export function setSpeed(wanted: number): void {
  const id = playerState.get()?.book.id;
  if (id === undefined) return;
  const speed = clamp(wanted, SPEED_MIN, SPEED_MAX);
  tune({ speed });
  currentPlayer.get()?.saveSpeed(id, speed);
}

export function setVolume(volume: number): void {
  tune({ volume, isMuted: false });
}

export function toggleMute(): void {
  tune({ isMuted: playerState.get()?.isMuted !== true });
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
  currentPlayer.get()?.dispatch({ type: 'sleep', sleep });
}

export function answerOffer(isAccepted: boolean): void {
  const offer = playerState.get()?.offer;
  const player = currentPlayer.get();
  if (offer === undefined) return;
  if (isAccepted) player?.dispatch({ type: 'seek', toMs: offer.positionMs });
  player?.dispatch({ type: 'offerDismissed' });
  player?.dispatch({ type: 'play' });
}

function tune(change: { readonly speed?: number; readonly volume?: number; readonly isMuted?: boolean }): void {
  currentPlayer.get()?.dispatch({ type: 'tune', ...change });
  const view = playerState.get();
  if (view !== undefined) remember('tuning', { speed: view.speed, volume: view.volume, isMuted: view.isMuted });
}
