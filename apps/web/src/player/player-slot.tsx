import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';

import { putPlayerAway, restorePlayer } from './player.ts';
import { playerState } from './state.ts';

const Bar = lazy(() => import('./ui/player-bar.tsx'));

/** The place of the player in the shell: it is there on every page, and what it needs comes when it is needed. */
export function PlayerSlot(): ReactNode {
  const isThere = useSyncExternalStore(playerState.subscribe, () => playerState.get() !== undefined);
  useEffect(() => {
    void restorePlayer();
    return () => void putPlayerAway();
  }, []);
  return <Suspense>{isThere && <Bar />}</Suspense>;
}
