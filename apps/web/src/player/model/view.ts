import { chapterEnd, type Timeline } from './timeline.ts';

export interface PlayerView {
  readonly book: PlayableBook;
  /** Undefined until the book is loaded. */
  readonly timeline: Timeline | undefined;
  /** `elsewhere`: another tab of this browser plays the book, and this tab mirrors the position. */
  readonly status: 'loading' | 'paused' | 'playing' | 'elsewhere';
  /** Playing, but the audio is still buffering. */
  readonly isWaiting: boolean;
  /** Index of the loaded file. Undefined until playback starts, because a loaded file uses a connection. */
  readonly loaded: number | undefined;
  readonly positionMs: number;
  readonly durationMs: number;
  readonly speed: number;
  readonly volume: number;
  readonly isMuted: boolean;
  readonly sleep: Sleep | undefined;
  readonly offer: Offer | undefined;
  readonly trouble: Trouble | undefined;
  readonly queue: readonly PlayableBook[];
  /** Whether this tab has played the book. If so, the player asks before it jumps to another device's position. */
  readonly wasPlayed: boolean;
  readonly reportedAt: number;
  readonly movedAt: number;
  readonly preloaded: number | undefined;
}

/** A newer position from another device. */
export interface Offer {
  readonly positionMs: number;
  readonly device: string;
  readonly at: string;
}

export interface Trouble {
  readonly kind: 'connection' | 'format' | 'gone' | 'blocked';
  readonly title: string;
  readonly hint: string;
}

type Reported = 'start' | 'progress' | 'pause' | 'seek' | 'complete';

/** Side effects that the player runs. */
export type Effect =
  | { readonly type: 'load'; readonly index: number; readonly offsetMs: number; readonly isPlaying: boolean }
  | { readonly type: 'preload'; readonly index: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'unload' }
  | { readonly type: 'tune'; readonly speed: number; readonly loudness: number }
  | { readonly type: 'report'; readonly event: Reported; readonly positionMs: number; readonly speed: number }
  | { readonly type: 'finished' };

export interface Step {
  readonly view: PlayerView;
  readonly effects: readonly Effect[];
}

export const SPEED_MIN = 0.5;
export const SPEED_MAX = 3.5;

export type Tuning = Pick<PlayerView, 'speed' | 'volume' | 'isMuted' | 'queue'>;

export const defaultTuning: Tuning = { speed: 1, volume: 1, isMuted: false, queue: [] };

/** Returns the state after choosing a book, until it is loaded. */
export function initialView(book: PlayableBook, tuning: Tuning): PlayerView {
  return {
    ...tuning,
    book,
    timeline: undefined,
    status: 'loading',
    isWaiting: false,
    loaded: undefined,
    positionMs: 0,
    durationMs: book.duration_ms,
    sleep: undefined,
    offer: undefined,
    trouble: undefined,
    wasPlayed: false,
    reportedAt: 0,
    movedAt: 0,
    preloaded: undefined,
  };
}

/** The fields that the player needs before it loads a book. Every row of the library has them. */
export interface PlayableBook {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly { readonly name: string }[];
  readonly narrators: readonly string[];
  /** A URL; `&size=256` selects a thumbnail. */
  readonly cover: string | null;
  readonly duration_ms: number;
}

/** When playback stops. Only listening time counts, so the timer does not run during a pause. */
export type Sleep =
  { readonly kind: 'time'; readonly leftMs: number } | { readonly kind: 'chapter'; readonly untilMs: number };

const FADE_MS = 15_000;
/** Shorter than `FADE_MS`, so that a chapter can be heard almost to its last words. */
const CHAPTER_FADE_MS = 2_000;

export function sleepAfter(minutes: number): Sleep {
  return { kind: 'time', leftMs: minutes * 60_000 };
}

export function sleepAtChapterEnd(timeline: Timeline, positionMs: number): Sleep {
  return { kind: 'chapter', untilMs: chapterEnd(timeline, positionMs) };
}

export function countDown(sleep: Sleep | undefined, elapsedMs: number): Sleep | undefined {
  return sleep?.kind === 'time' ? { kind: 'time', leftMs: Math.max(0, sleep.leftMs - elapsedMs) } : sleep;
}

export function isSleepDue(sleep: Sleep | undefined, positionMs: number): boolean {
  if (sleep === undefined) return false;
  return sleep.kind === 'time' ? sleep.leftMs <= 0 : positionMs >= sleep.untilMs;
}

/** Returns a volume factor that falls from 1 to 0, because sudden silence wakes people. */
export function fadeFactor(sleep: Sleep | undefined, positionMs: number, speed: number): number {
  if (sleep === undefined) return 1;
  if (sleep.kind === 'time') return Math.min(1, sleep.leftMs / FADE_MS);
  return Math.min(1, Math.max(0, (sleep.untilMs - positionMs) / speed / CHAPTER_FADE_MS));
}
