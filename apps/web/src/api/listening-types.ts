import type { BookRow } from './audiobooks-types.ts';

/** Where somebody is in a book, as the server has it. */
export interface Progress {
  readonly book_id: string;
  readonly position_ms: number;
  readonly segment_id: string;
  readonly position_seconds: number;
  readonly generation: number;
  readonly percent: number;
  readonly finished: boolean;
  readonly completions: number;
  readonly speed: number | null;
  readonly updated_at: string;
  readonly device_id: string | null;
  readonly revision: number;
}

/** One thing that happened while listening. It never changes, and may be sent more than once. */
export interface PlaybackEvent {
  readonly event_id: string;
  readonly book_id: string;
  readonly event_type: 'start' | 'progress' | 'pause' | 'seek' | 'complete';
  readonly position_ms: number;
  readonly segment_id: string;
  readonly position_seconds: number;
  readonly generation: number;
  readonly occurred_at: string;
  readonly play_speed: number;
  readonly device_id: string;
  readonly session_id: string;
}

export interface PlaybackAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: readonly { readonly event_id: string; readonly code: string }[];
  readonly progress: readonly Progress[];
}

export interface Preferences {
  readonly speed: number;
  readonly skip_back_seconds: number;
  readonly skip_forward_seconds: number;
  readonly sleep_minutes: number;
  readonly books: Readonly<Record<string, { readonly speed?: number }>>;
}

export interface ListeningDay {
  readonly date: string;
  readonly seconds: number;
  /** Ids of books that were finished on it. */
  readonly finished: readonly string[];
}

export interface ListeningStats {
  readonly listen_seconds: number;
  readonly plays: number;
  readonly finished: number;
  readonly days: readonly ListeningDay[];
  /** Without a book: one that is gone. */
  readonly books: readonly { readonly book: BookRow | null; readonly seconds: number }[];
  readonly authors: readonly { readonly id: string; readonly name: string; readonly seconds: number }[];
  readonly narrators: readonly { readonly name: string; readonly seconds: number }[];
}

export interface ListeningYear extends ListeningStats {
  readonly year: number;
  readonly months: readonly { readonly month: string; readonly seconds: number; readonly finished: number }[];
  readonly longest_day: { readonly date: string; readonly seconds: number } | null;
  readonly streak_days: number;
  readonly days_listened: number;
  readonly first_book: BookRow | null;
  readonly last_book: BookRow | null;
}

/** One thing that must hold for the books of a smart playlist. */
export interface Condition {
  readonly field: string;
  readonly op: string;
  readonly value: string | number;
}

export interface SmartQuery {
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly sort: 'title' | 'author' | 'added' | 'recent';
  readonly limit: number | null;
}

export interface Playlist {
  readonly id: string;
  readonly name: string;
  readonly kind: 'manual' | 'smart';
  /** It belongs to everybody. */
  readonly shared: boolean;
  readonly query: SmartQuery | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

/** In a list that was asked for with a book. */
export interface ListedPlaylist extends Playlist {
  readonly has_book: boolean;
}

export interface PlaylistItem {
  /** Names the item until it is moved. */
  readonly position: number;
  readonly book: BookRow;
}
