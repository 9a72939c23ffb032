import type { PlayableBook } from '../book.ts';
import type { PlayerView } from './view.ts';

export type Tuning = Pick<PlayerView, 'speed' | 'volume' | 'isMuted' | 'queue'>;

export const plainTuning: Tuning = { speed: 1, volume: 1, isMuted: false, queue: [] };

/** The state after choosing a book, until it is loaded. */
export function freshView(book: PlayableBook, tuning: Tuning): PlayerView {
  return {
    book,
    timeline: undefined,
    status: 'loading',
    isWaiting: false,
    loaded: undefined,
    positionMs: 0,
    durationMs: book.duration_ms,
    speed: tuning.speed,
    volume: tuning.volume,
    isMuted: tuning.isMuted,
    sleep: undefined,
    offer: undefined,
    trouble: undefined,
    queue: tuning.queue,
    wasPlayed: false,
    reportedAt: 0,
    movedAt: 0,
    preloaded: undefined,
  };
}
