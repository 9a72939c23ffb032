import type { Preferences } from '../api/types.ts';
import { createStore } from '../lib/store.ts';

/** How this user likes to listen: the same on all their devices. */
export const preferences = createStore<Preferences>({
  speed: 1,
  skip_back_seconds: 15,
  skip_forward_seconds: 30,
  sleep_minutes: 30,
  finished_when: { seconds: 0, percent: 0 },
  books: {},
});
