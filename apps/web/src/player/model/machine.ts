import { chapterEnd, clamp, positionOf, filePositionAt, type Timeline } from './timeline.ts';
import {
  type Effect,
  fadeFactor,
  isSleepDue,
  type Offer,
  type PlayableBook,
  type PlayerView,
  type Sleep,
  countDown,
  SPEED_MAX,
  SPEED_MIN,
  type Step,
  type Trouble,
} from './view.ts';

/** Events from the user, the audio element, the server and other tabs. */
export type PlayerEvent =
  | {
      readonly type: 'opened';
      readonly book: PlayableBook;
      readonly timeline: Timeline;
      readonly positionMs: number;
      readonly isPlaying: boolean;
    }
  /** A position from another device, which this tab takes over before it starts playback. */
  | { readonly type: 'positionAdopted'; readonly positionMs: number }
  | {
      readonly type: 'play' | 'pause' | 'waiting' | 'playing' | 'ended' | 'offerDismissed' | 'pageHidden' | 'reportNow';
    }
  | { readonly type: 'seek'; readonly toMs: number }
  | { readonly type: 'timeUpdate'; readonly offsetMs: number }
  | { readonly type: 'failed'; readonly trouble: Trouble; readonly isFinal: boolean }
  | { readonly type: 'reload' }
  | { readonly type: 'filesReplaced'; readonly timeline: Timeline; readonly positionMs: number }
  | { readonly type: 'tune'; readonly speed?: number; readonly volume?: number; readonly isMuted?: boolean }
  | { readonly type: 'sleep'; readonly sleep: Sleep | undefined }
  | { readonly type: 'otherTabStarted'; readonly isSameBook: boolean }
  | { readonly type: 'otherTabMoved'; readonly positionMs: number; readonly isPlaying: boolean }
  | { readonly type: 'offered'; readonly offer: Offer }
  | { readonly type: 'queueChanged'; readonly queue: readonly PlayableBook[] };

const REPORT_MS = 15_000;
const PRELOAD_MS = 20_000;
/** A longer gap between two time updates does not count as listening: the computer was probably asleep. */
const UPDATE_GAP_MAX_MS = 2_000;

type Handler<Kind extends PlayerEvent['type']> = (
  view: PlayerView,
  event: PlayerEvent & { readonly type: Kind },
  now: number,
) => Step;

const handlers: { readonly [Kind in PlayerEvent['type']]: Handler<Kind> } = {
  opened,
  positionAdopted: (view, { positionMs }) =>
    unchanged({ ...view, positionMs: clamp(positionMs, 0, view.durationMs), loaded: undefined }),
  play: (view, _event, now) => play(view, now),
  pause: (view) => (view.status === 'playing' ? paused(view, [report(view, 'pause')]) : unchanged(view)),
  pageHidden: (view) => ({ view, effects: view.status === 'playing' ? [report(view, 'pause')] : [] }),
  reportNow: (view, _event, now) =>
    view.status === 'playing'
      ? { view: { ...view, reportedAt: now }, effects: [report(view, 'progress')] }
      : unchanged(view),
  seek: (view, { toMs }, now) => seek(view, toMs, now),
  timeUpdate: (view, { offsetMs }, now) => timeUpdated(view, offsetMs, now),
  ended: (view, _event, now) => ended(view, now),
  waiting: (view) => unchanged({ ...view, isWaiting: view.status === 'playing' }),
  playing: (view) => unchanged({ ...view, isWaiting: false, trouble: undefined }),
  failed: (view, { trouble, isFinal }) => playbackFailed(view, trouble, isFinal),
  reload: (view) => reload(view),
  filesReplaced: (view, { timeline, positionMs }) => filesReplaced(view, timeline, positionMs),
  tune: tuneChanged,
  sleep: (view, { sleep }) => tune({ ...view, sleep }),
  otherTabStarted: (view, { isSameBook }) => otherTabStarted(view, isSameBook),
  otherTabMoved: (view, { positionMs, isPlaying }) => otherTabMoved(view, positionMs, isPlaying),
  offered: (view, { offer }) => unchanged({ ...view, offer }),
  offerDismissed: (view) => unchanged({ ...view, offer: undefined }),
  queueChanged: (view, { queue }) => unchanged({ ...view, queue }),
};

/** Pure reducer: returns the next view, and the effects to run. */
export function reduce<Kind extends PlayerEvent['type']>(
  view: PlayerView,
  event: PlayerEvent & { readonly type: Kind },
  now: number,
): Step {
  const handle: Handler<Kind> = handlers[event.type];
  return handle(view, event, now);
}

function unchanged(view: PlayerView): Step {
  return { view, effects: [] };
}

function report(view: PlayerView, event: 'start' | 'progress' | 'pause' | 'seek' | 'complete'): Effect {
  return { type: 'report', event, positionMs: view.positionMs, speed: view.speed };
}

function load({ timeline, positionMs }: PlayerView, isPlaying: boolean): Effect & { readonly type: 'load' } {
  const position = timeline === undefined ? { index: 0, offsetMs: 0 } : filePositionAt(timeline, positionMs);
  return { type: 'load', ...position, isPlaying };
}

function tune(view: PlayerView): Step {
  return { view, effects: [tuning(view)] };
}

function tuning({ speed, volume, isMuted, sleep, positionMs }: PlayerView): Effect {
  return { type: 'tune', speed, loudness: isMuted ? 0 : volume * fadeFactor(sleep, positionMs, speed) };
}

function opened(view: PlayerView, event: PlayerEvent & { readonly type: 'opened' }, now: number): Step {
  const { book, timeline, isPlaying } = event;
  const durationMs = timeline.duration_ms;
  const positionMs = clamp(event.positionMs, 0, durationMs);
  const open: PlayerView = {
    ...view,
    book,
    timeline,
    durationMs,
    positionMs,
    status: 'paused',
    loaded: undefined,
    trouble: undefined,
    offer: undefined,
  };
  return isPlaying ? play(open, now) : { view: open, effects: [{ type: 'unload' }] };
}

function play(view: PlayerView, now: number): Step {
  if (view.timeline === undefined || view.status === 'playing') return unchanged(view);
  // If the position is at the end of the book, playback starts from the beginning.
  const positionMs = view.positionMs >= view.durationMs ? 0 : view.positionMs;
  const next: PlayerView = {
    ...view,
    positionMs,
    status: 'playing',
    isWaiting: view.loaded === undefined,
    trouble: undefined,
    offer: undefined,
    wasPlayed: true,
    reportedAt: now,
    movedAt: now,
  };
  const loadEffect = load(next, true);
  const isThere = view.loaded === loadEffect.index && positionMs === view.positionMs && view.status === 'paused';
  return {
    view: { ...next, loaded: loadEffect.index, preloaded: isThere ? view.preloaded : undefined },
    effects: [tuning(next), isThere ? { type: 'play' } : loadEffect, report(next, 'start')],
  };
}

function paused(view: PlayerView, effects: readonly Effect[]): Step {
  return { view: { ...view, status: 'paused', isWaiting: false }, effects: [{ type: 'pause' }, ...effects] };
}

function seek(view: PlayerView, toMs: number, now: number): Step {
  if (view.timeline === undefined) return unchanged(view);
  const positionMs = clamp(Math.round(toMs), 0, view.durationMs);
  const sleep: Sleep | undefined =
    view.sleep?.kind === 'chapter' ? { kind: 'chapter', untilMs: chapterEnd(view.timeline, positionMs) } : view.sleep;
  const next: PlayerView = { ...view, positionMs, sleep, offer: undefined, reportedAt: now, movedAt: now };
  // Reports the time listened so far, because the server does not count listening time across a jump.
  const heard = view.status === 'playing' ? [report(view, 'progress')] : [];
  // If another tab plays, that tab seeks, and nothing is loaded here.
  const isHere = view.loaded !== undefined && view.status !== 'elsewhere';
  const loadEffect = load(next, view.status === 'playing');
  return {
    view: isHere ? { ...next, loaded: loadEffect.index, preloaded: undefined } : next,
    effects: [...(isHere ? [loadEffect, tuning(next)] : []), ...heard, report(next, 'seek')],
  };
}

function timeUpdated(view: PlayerView, offsetMs: number, now: number): Step {
  const { timeline, loaded } = view;
  if (timeline === undefined || loaded === undefined || view.status !== 'playing') return unchanged(view);
  const positionMs = positionOf(timeline, { index: loaded, offsetMs });
  const elapsedMs = Math.min(Math.max(0, now - view.movedAt), UPDATE_GAP_MAX_MS);
  const sleep = countDown(view.sleep, elapsedMs);
  const next: PlayerView = { ...view, positionMs, sleep, movedAt: now };
  if (isSleepDue(sleep, positionMs)) {
    const asleep = paused({ ...next, sleep: undefined }, [report(next, 'pause')]);
    return { view: asleep.view, effects: [...asleep.effects, tuning(asleep.view)] };
  }
  const effects: Effect[] = sleep === undefined ? [] : [tuning(next)];
  const segment = timeline.segments[loaded];
  const leftMs = segment === undefined ? 0 : (segment.duration_ms - offsetMs) / view.speed;
  const following = loaded + 1;
  const isNear = leftMs < PRELOAD_MS && following < timeline.segments.length && view.preloaded !== following;
  if (isNear) effects.push({ type: 'preload', index: following });
  const isDue = now - view.reportedAt >= REPORT_MS;
  if (isDue) effects.push(report(next, 'progress'));
  return {
    view: {
      ...next,
      preloaded: isNear ? following : view.preloaded,
      reportedAt: isDue ? now : view.reportedAt,
    },
    effects,
  };
}

function ended(view: PlayerView, now: number): Step {
  const { timeline, loaded } = view;
  if (timeline === undefined || loaded === undefined || view.status !== 'playing') return unchanged(view);
  const index = loaded + 1;
  const segment = timeline.segments[index];
  if (segment === undefined) {
    const done = { ...view, positionMs: view.durationMs, sleep: undefined };
    const stopped = paused(done, [report(done, 'complete'), { type: 'finished' }]);
    return { view: { ...stopped.view, loaded: undefined }, effects: [...stopped.effects] };
  }
  const next = { ...view, loaded: index, preloaded: undefined, positionMs: segment.start_ms, movedAt: now };
  if (isSleepDue(next.sleep, next.positionMs)) {
    const asleep = paused({ ...next, sleep: undefined, loaded: undefined }, [report(next, 'pause')]);
    return { view: asleep.view, effects: [...asleep.effects, { type: 'unload' }, tuning(asleep.view)] };
  }
  return { view: next, effects: [{ type: 'load', index, offsetMs: 0, isPlaying: true }, tuning(next)] };
}

/** `isFinal` means that retrying would not help. If it is false, playback continues as soon as the cause is gone. */
function playbackFailed(view: PlayerView, trouble: Trouble, isFinal: boolean): Step {
  if (!isFinal) return unchanged({ ...view, trouble, isWaiting: view.status === 'playing' });
  const reports = view.status === 'playing' ? [report(view, 'pause')] : [];
  return {
    view: { ...view, trouble, status: 'paused', isWaiting: false, loaded: undefined },
    effects: [{ type: 'unload' }, ...reports],
  };
}

function reload(view: PlayerView): Step {
  if (view.status !== 'playing') return unchanged({ ...view, loaded: undefined });
  const loadEffect = load(view, true);
  return { view: { ...view, loaded: loadEffect.index, preloaded: undefined }, effects: [loadEffect, tuning(view)] };
}

/** The book has new files; `at` is the same position in them. */
function filesReplaced(view: PlayerView, timeline: Timeline, at: number): Step {
  const positionMs = clamp(at, 0, timeline.duration_ms);
  const next = { ...view, timeline, durationMs: timeline.duration_ms, positionMs, preloaded: undefined };
  if (view.status === 'playing') return reload(next);
  return { view: { ...next, loaded: undefined }, effects: [{ type: 'unload' }] };
}

function tuneChanged(view: PlayerView, event: PlayerEvent & { readonly type: 'tune' }): Step {
  const speed = clamp(event.speed ?? view.speed, SPEED_MIN, SPEED_MAX);
  const volume = clamp(event.volume ?? view.volume, 0, 1);
  const next = { ...view, speed, volume, isMuted: event.isMuted ?? view.isMuted };
  // Reports first, so that the time listened so far counts at the old speed.
  const heard = speed !== view.speed && view.status === 'playing' ? [report(view, 'progress')] : [];
  return { view: next, effects: [tuning(next), ...heard] };
}

/** Handles the start of playback in another tab. If it plays the same book, this tab mirrors its position. */
function otherTabStarted(view: PlayerView, isSameBook: boolean): Step {
  const reports = view.status === 'playing' && !isSameBook ? [report(view, 'pause')] : [];
  return {
    view: { ...view, status: isSameBook ? 'elsewhere' : 'paused', isWaiting: false, loaded: undefined },
    // Releases the connection, because a browser allows only six HTTP/1.1 connections per server for all tabs.
    effects: [{ type: 'unload' }, ...reports],
  };
}

function otherTabMoved(view: PlayerView, positionMs: number, isPlaying: boolean): Step {
  if (view.status === 'playing' || view.status === 'loading') return unchanged(view);
  const status = isPlaying ? 'elsewhere' : 'paused';
  return {
    view: { ...view, positionMs, status, loaded: undefined, offer: undefined },
    effects: view.loaded === undefined ? [] : [{ type: 'unload' }],
  };
}
