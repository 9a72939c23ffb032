import { recordEvent } from '../store/events.ts';
import { setMeta } from '../store/meta.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/** Since when no supervisor begins anything new; empty: they do. */
export const PAUSED = 'run_paused';

/** All workers at once. What is being worked on goes on. */
export function pauseAll(rm: Ringmaster, isPaused: boolean): Promise<void> {
  const call = callOf(rm);
  return rm.store.write(`run ${isPaused ? 'paused' : 'resumed'}`, (tx) => {
    setMeta(tx, PAUSED, isPaused ? call.now : '');
    recordEvent(tx, call, { type: isPaused ? 'run_paused' : 'run_resumed', entity: 'store', id: 'run' });
  });
}
