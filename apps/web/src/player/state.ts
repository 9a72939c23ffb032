import { createStore } from '../lib/store.ts';
import type { PlayerView } from './model/view.ts';

/** The state of the player; undefined when it is closed. Changes several times a second during playback. */
export const playerState = createStore<PlayerView | undefined>(undefined);
