import type { Preferences } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import type { PlayerView } from './model/view.ts';

/** The state of the player; undefined when it is closed. Changes several times a second during playback. */
export const playerState = createStore<PlayerView | undefined>(undefined);

export const preferences = createStore<Preferences>({
  speed: 1,
  skip_back_seconds: 15,
  skip_forward_seconds: 30,
  sleep_minutes: 30,
  finished_when: { seconds: 0, percent: 0 },
  books: {},
});
