import { createStore } from '../lib/store.ts';
import type { PlayerView } from './model/view.ts';

/** What is in the player, or nothing. It changes several times a second while something plays. */
export const playerState = createStore<PlayerView | undefined>(undefined);
