import type { PlayableBook } from '../book.ts';
import type { Sleep } from './sleep.ts';
import type { Timeline } from './timeline.ts';

/** The complete state of the player. */
export interface PlayerView {
  readonly book: PlayableBook;
  /** Undefined until the book is loaded. */
  readonly timeline: Timeline | undefined;
  /** `elsewhere`: another tab of this browser plays the book; this one mirrors its position. */
  readonly status: 'loading' | 'paused' | 'playing' | 'elsewhere';
  /** Playing, but the audio is still buffering. */
  readonly isWaiting: boolean;
  /** Index of the file in the audio element; undefined until playback, because each file holds a connection. */
  readonly loaded: number | undefined;
  readonly positionMs: number;
  readonly durationMs: number;
  readonly speed: number;
  readonly volume: number;
  readonly isMuted: boolean;
  readonly sleep: Sleep | undefined;
  readonly offer: Offer | undefined;
  readonly trouble: Trouble | undefined;
  /** Books to play after this one. */
  readonly queue: readonly PlayableBook[];
  /** Whether this tab has played the book: then it asks before jumping to another device's position. */
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

/** Side effects for the player to carry out. */
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
