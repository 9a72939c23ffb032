import type { PlayableBook } from '../book.ts';
import type { Sleep } from './sleep.ts';
import type { Timeline } from './timeline.ts';

/** Everything the player shows, and everything it decides from. */
export interface PlayerView {
  readonly book: PlayableBook;
  /** Not there until the book has been asked for. */
  readonly timeline: Timeline | undefined;
  /** `elsewhere`: another tab of this browser plays it, and this one shows the same place. */
  readonly status: 'loading' | 'paused' | 'playing' | 'elsewhere';
  /** It wants to play, and there is nothing to hear: the sound is on its way. */
  readonly isWaiting: boolean;
  /** The file that is in the audio element; nothing is until it is needed, for each takes a connection. */
  readonly loaded: number | undefined;
  readonly positionMs: number;
  readonly durationMs: number;
  readonly speed: number;
  readonly volume: number;
  readonly isMuted: boolean;
  readonly sleep: Sleep | undefined;
  readonly offer: Offer | undefined;
  readonly trouble: Trouble | undefined;
  /** What comes after this book. */
  readonly queue: readonly PlayableBook[];
  /** Somebody has listened to this book in this tab: then their place here is not left without being asked. */
  readonly wasPlayed: boolean;
  readonly reportedAt: number;
  readonly movedAt: number;
  readonly preloaded: number | undefined;
}

/** Somebody went on listening with another device. */
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

/** What the outside is told to do. */
export type Order =
  | { readonly do: 'load'; readonly index: number; readonly offsetMs: number; readonly isPlaying: boolean }
  | { readonly do: 'preload'; readonly index: number }
  | { readonly do: 'play' }
  | { readonly do: 'pause' }
  | { readonly do: 'unload' }
  | { readonly do: 'tune'; readonly speed: number; readonly loudness: number }
  | { readonly do: 'report'; readonly event: Reported; readonly positionMs: number; readonly speed: number }
  | { readonly do: 'finished' };

export interface Step {
  readonly view: PlayerView;
  readonly orders: readonly Order[];
}

export const SPEED_MIN = 0.5;
export const SPEED_MAX = 3.5;
