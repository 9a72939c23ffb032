import { ringmasterErrors } from '../model/errors.ts';
import { metaText, setMeta } from './meta.ts';
import type { Tx } from './open.ts';

/** The process that runs maintenance for this database. */
export interface MaintenanceOwner {
  readonly pid: number;
  readonly start: string | null;
  readonly boot: string | null;
}

const KEY = 'maintenance_owner';

export function maintenanceOwner(tx: Tx): MaintenanceOwner | undefined {
  const text = metaText(tx, KEY);
  return text === '' ? undefined : (JSON.parse(text) as MaintenanceOwner);
}

export function claimMaintenance(
  tx: Tx,
  owner: MaintenanceOwner,
  isWorking: (owner: MaintenanceOwner) => boolean,
): void {
  const other = maintenanceOwner(tx);
  if (other !== undefined && other.pid !== owner.pid && isWorking(other)) {
    throw ringmasterErrors.WORKER_UNAVAILABLE(`Process ${other.pid} already maintains this database`, {
      hint: 'One process is enough; stop the other to replace it.',
    });
  }
  setMeta(tx, KEY, JSON.stringify(owner));
}

export function releaseMaintenance(tx: Tx): void {
  setMeta(tx, KEY, '');
}
