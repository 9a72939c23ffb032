import { ringmasterErrors } from '../../model/errors.ts';
import { listWorkers, type Worker } from '../../store/workers.ts';
import type { Ringmaster } from '../ringmaster.ts';

/** Others take their work themselves. */
export function isRunnable(worker: Worker): boolean {
  return worker.command !== '';
}

export function requireRunnable(rm: Ringmaster): void {
  if (!listWorkers(rm.store.reader).some(isRunnable)) throw ringmasterErrors.NO_WORKERS('No worker has a command');
}
