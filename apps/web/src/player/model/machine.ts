import type { PlayableBook } from '../book.ts';
import { fading, isAsleep, type Sleep, slept } from './sleep.ts';
import { chapterEnd, clamp, positionOf, spotAt, type Timeline } from './timeline.ts';
import { type Offer, type Order, type PlayerView, SPEED_MAX, SPEED_MIN, type Step, type Trouble } from './view.ts';

/** What can happen to the player: by its listener, by the audio element, by the server and by other tabs. */
export type Happening =
  | {
      readonly is: 'opened';
      readonly book: PlayableBook;
      readonly timeline: Timeline;
      readonly positionMs: number;
      readonly isPlaying: boolean;
    }
  /** The place of another device, taken over before anything was heard here. */
  | { readonly is: 'carried'; readonly positionMs: number }
  | { readonly is: 'play' | 'pause' | 'waiting' | 'sounding' | 'ended' | 'declined' | 'leaving' | 'told' }
  | { readonly is: 'sought'; readonly toMs: number }
  | { readonly is: 'moved'; readonly offsetMs: number }
  | { readonly is: 'broken'; readonly trouble: Trouble; readonly isOver: boolean }
  | { readonly is: 'retried' }
  | { readonly is: 'replaced'; readonly timeline: Timeline; readonly positionMs: number }
  | { readonly is: 'tuned'; readonly speed?: number; readonly volume?: number; readonly isMuted?: boolean }
  | { readonly is: 'sleep'; readonly sleep: Sleep | undefined }
  | { readonly is: 'taken'; readonly isSameBook: boolean }
  | { readonly is: 'mirrored'; readonly positionMs: number; readonly isPlaying: boolean }
  | { readonly is: 'offered'; readonly offer: Offer }
  | { readonly is: 'queued'; readonly queue: readonly PlayableBook[] };

const REPORT_MS = 15_000;
const PRELOAD_MS = 20_000;
/** Longer than this between two moments is not listening: the machine slept. */
const MOMENT_MAX_MS = 2_000;

type Handler<Kind extends Happening['is']> = (
  view: PlayerView,
  event: Happening & { readonly is: Kind },
  now: number,
) => Step;

const handlers: { readonly [Kind in Happening['is']]: Handler<Kind> } = {
  opened,
  carried: (view, { positionMs }) =>
    quiet({ ...view, positionMs: clamp(positionMs, 0, view.durationMs), loaded: undefined }),
  play: (view, _event, now) => play(view, now),
  pause: (view) => (view.status === 'playing' ? paused(view, [report(view, 'pause')]) : quiet(view)),
  leaving: (view) => ({ view, orders: view.status === 'playing' ? [report(view, 'pause')] : [] }),
  told: (view, _event, now) =>
    view.status === 'playing'
      ? { view: { ...view, reportedAt: now }, orders: [report(view, 'progress')] }
      : quiet(view),
  sought: (view, { toMs }, now) => seek(view, toMs, now),
  moved: (view, { offsetMs }, now) => moved(view, offsetMs, now),
  ended: (view, _event, now) => ended(view, now),
  waiting: (view) => quiet({ ...view, isWaiting: view.status === 'playing' }),
  sounding: (view) => quiet({ ...view, isWaiting: false, trouble: undefined }),
  broken: (view, { trouble, isOver }) => broken(view, trouble, isOver),
  retried: (view) => reload(view),
  replaced: (view, { timeline, positionMs }) => replaced(view, timeline, positionMs),
  tuned,
  sleep: (view, { sleep }) => tune({ ...view, sleep }),
  taken: (view, { isSameBook }) => taken(view, isSameBook),
  mirrored: (view, { positionMs, isPlaying }) => mirrored(view, positionMs, isPlaying),
  offered: (view, { offer }) => quiet({ ...view, offer }),
  declined: (view) => quiet({ ...view, offer: undefined }),
  queued: (view, { queue }) => quiet({ ...view, queue }),
};

/** What a happening comes to: how the player is afterwards, and what is to be done. It decides, and does nothing. */
export function stepOf<Kind extends Happening['is']>(
  view: PlayerView,
  event: Happening & { readonly is: Kind },
  now: number,
): Step {
  const handle: Handler<Kind> = handlers[event.is];
  return handle(view, event, now);
}

function quiet(view: PlayerView): Step {
  return { view, orders: [] };
}

function report(view: PlayerView, event: 'start' | 'progress' | 'pause' | 'seek' | 'complete'): Order {
  return { do: 'report', event, positionMs: view.positionMs, speed: view.speed };
}

function load({ timeline, positionMs }: PlayerView, isPlaying: boolean): Order & { readonly do: 'load' } {
  const spot = timeline === undefined ? { index: 0, offsetMs: 0 } : spotAt(timeline, positionMs);
  return { do: 'load', ...spot, isPlaying };
}

function tune(view: PlayerView): Step {
  return { view, orders: [tuning(view)] };
}

function tuning({ speed, volume, isMuted, sleep, positionMs }: PlayerView): Order {
  return { do: 'tune', speed, loudness: isMuted ? 0 : volume * fading(sleep, positionMs, speed) };
}

function opened(view: PlayerView, event: Happening & { readonly is: 'opened' }, now: number): Step {
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
  return isPlaying ? play(open, now) : { view: open, orders: [{ do: 'unload' }] };
}

function play(view: PlayerView, now: number): Step {
  if (view.timeline === undefined || view.status === 'playing') return quiet(view);
  // At the end, play means once more.
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
  const spot = load(next, true);
  const isThere = view.loaded === spot.index && positionMs === view.positionMs && view.status === 'paused';
  return {
    view: { ...next, loaded: spot.index, preloaded: isThere ? view.preloaded : undefined },
    orders: [tuning(next), isThere ? { do: 'play' } : spot, report(next, 'start')],
  };
}

function paused(view: PlayerView, orders: readonly Order[]): Step {
  return { view: { ...view, status: 'paused', isWaiting: false }, orders: [{ do: 'pause' }, ...orders] };
}

function seek(view: PlayerView, toMs: number, now: number): Step {
  if (view.timeline === undefined) return quiet(view);
  const positionMs = clamp(Math.round(toMs), 0, view.durationMs);
  const sleep: Sleep | undefined =
    view.sleep?.kind === 'chapter' ? { kind: 'chapter', untilMs: chapterEnd(view.timeline, positionMs) } : view.sleep;
  const next: PlayerView = { ...view, positionMs, sleep, offer: undefined, reportedAt: now, movedAt: now };
  // What was heard until now is told first: it would not be counted across the jump.
  const heard = view.status === 'playing' ? [report(view, 'progress')] : [];
  // The other tab goes on from there; nothing is loaded here.
  const isHere = view.loaded !== undefined && view.status !== 'elsewhere';
  const spot = load(next, view.status === 'playing');
  return {
    view: isHere ? { ...next, loaded: spot.index, preloaded: undefined } : next,
    orders: [...(isHere ? [spot, tuning(next)] : []), ...heard, report(next, 'seek')],
  };
}

function moved(view: PlayerView, offsetMs: number, now: number): Step {
  const { timeline, loaded } = view;
  if (timeline === undefined || loaded === undefined || view.status !== 'playing') return quiet(view);
  const positionMs = positionOf(timeline, { index: loaded, offsetMs });
  const elapsedMs = Math.min(Math.max(0, now - view.movedAt), MOMENT_MAX_MS);
  const sleep = slept(view.sleep, elapsedMs);
  const next: PlayerView = { ...view, positionMs, sleep, movedAt: now };
  if (isAsleep(sleep, positionMs)) {
    const asleep = paused({ ...next, sleep: undefined }, [report(next, 'pause')]);
    return { view: asleep.view, orders: [...asleep.orders, tuning(asleep.view)] };
  }
  const orders: Order[] = sleep === undefined ? [] : [tuning(next)];
  const segment = timeline.segments[loaded];
  const leftMs = segment === undefined ? 0 : (segment.duration_ms - offsetMs) / view.speed;
  const following = loaded + 1;
  const isNear = leftMs < PRELOAD_MS && following < timeline.segments.length && view.preloaded !== following;
  if (isNear) orders.push({ do: 'preload', index: following });
  const isDue = now - view.reportedAt >= REPORT_MS;
  if (isDue) orders.push(report(next, 'progress'));
  return {
    view: {
      ...next,
      preloaded: isNear ? following : view.preloaded,
      reportedAt: isDue ? now : view.reportedAt,
    },
    orders,
  };
}

function ended(view: PlayerView, now: number): Step {
  const { timeline, loaded } = view;
  if (timeline === undefined || loaded === undefined || view.status !== 'playing') return quiet(view);
  const index = loaded + 1;
  const segment = timeline.segments[index];
  if (segment === undefined) {
    const done = { ...view, positionMs: view.durationMs, sleep: undefined };
    const stopped = paused(done, [report(done, 'complete'), { do: 'finished' }]);
    return { view: { ...stopped.view, loaded: undefined }, orders: [...stopped.orders] };
  }
  const next = { ...view, loaded: index, preloaded: undefined, positionMs: segment.start_ms, movedAt: now };
  if (isAsleep(next.sleep, next.positionMs)) {
    const asleep = paused({ ...next, sleep: undefined, loaded: undefined }, [report(next, 'pause')]);
    return { view: asleep.view, orders: [...asleep.orders, { do: 'unload' }, tuning(asleep.view)] };
  }
  return { view: next, orders: [{ do: 'load', index, offsetMs: 0, isPlaying: true }, tuning(next)] };
}

/** Over is what trying again would not mend. Else it still wants to play, and is tried again. */
function broken(view: PlayerView, trouble: Trouble, isOver: boolean): Step {
  if (!isOver) return quiet({ ...view, trouble, isWaiting: view.status === 'playing' });
  const told = view.status === 'playing' ? [report(view, 'pause')] : [];
  return {
    view: { ...view, trouble, status: 'paused', isWaiting: false, loaded: undefined },
    orders: [{ do: 'unload' }, ...told],
  };
}

function reload(view: PlayerView): Step {
  if (view.status !== 'playing') return quiet({ ...view, loaded: undefined });
  const spot = load(view, true);
  return { view: { ...view, loaded: spot.index, preloaded: undefined }, orders: [spot, tuning(view)] };
}

/** The files of the book have changed; the words at this place have not. */
function replaced(view: PlayerView, timeline: Timeline, at: number): Step {
  const positionMs = clamp(at, 0, timeline.duration_ms);
  const next = { ...view, timeline, durationMs: timeline.duration_ms, positionMs, preloaded: undefined };
  if (view.status === 'playing') return reload(next);
  return { view: { ...next, loaded: undefined }, orders: [{ do: 'unload' }] };
}

function tuned(view: PlayerView, event: Happening & { readonly is: 'tuned' }): Step {
  const speed = clamp(event.speed ?? view.speed, SPEED_MIN, SPEED_MAX);
  const volume = clamp(event.volume ?? view.volume, 0, 1);
  const next = { ...view, speed, volume, isMuted: event.isMuted ?? view.isMuted };
  // So that what was heard so far counts with the speed it was heard at.
  const heard = speed !== view.speed && view.status === 'playing' ? [report(view, 'progress')] : [];
  return { view: next, orders: [tuning(next), ...heard] };
}

/** Another tab has begun to play. If it is the same book, that tab tells the place from now on. */
function taken(view: PlayerView, isSameBook: boolean): Step {
  const told = view.status === 'playing' && !isSameBook ? [report(view, 'pause')] : [];
  return {
    view: { ...view, status: isSameBook ? 'elsewhere' : 'paused', isWaiting: false, loaded: undefined },
    // The connection is given back: a browser has only six of them for all its tabs.
    orders: [{ do: 'unload' }, ...told],
  };
}

function mirrored(view: PlayerView, positionMs: number, isPlaying: boolean): Step {
  if (view.status === 'playing' || view.status === 'loading') return quiet(view);
  const status = isPlaying ? 'elsewhere' : 'paused';
  return {
    view: { ...view, positionMs, status, loaded: undefined, offer: undefined },
    orders: view.loaded === undefined ? [] : [{ do: 'unload' }],
  };
}
