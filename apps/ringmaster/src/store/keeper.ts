import { ringmasterErrors } from '../model/errors.ts';
import { setMeta } from './meta.ts';
import type { Tx } from './open.ts';

/** The one process that ranks, reaps, backs up and cleans. */
export interface Keeper {
  readonly pid: number;
  readonly start: string | null;
  readonly boot: string | null;
}

export function keeperOf(tx: Tx): Keeper | undefined {
  const row = tx.get<{ value: string }>(`SELECT value FROM ringmaster_meta WHERE key = 'keeper'`);
  return row === undefined || row.value === '' ? undefined : (JSON.parse(row.value) as Keeper);
}

export function becomeKeeper(tx: Tx, keeper: Keeper, isWorking: (keeper: Keeper) => boolean): void {
  const other = keeperOf(tx);
  if (other !== undefined && other.pid !== keeper.pid && isWorking(other)) {
    throw ringmasterErrors.WORKER_UNAVAILABLE(`Process ${other.pid} keeps this database already`, {
      hint: 'One keeper is enough; stop the other to replace it.',
    });
  }
  setMeta(tx, 'keeper', JSON.stringify(keeper));
}

export function resignAsKeeper(tx: Tx): void {
  setMeta(tx, 'keeper', '');
}
