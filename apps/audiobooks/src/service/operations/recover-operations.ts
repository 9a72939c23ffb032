import type { OperationType } from '../../model/choices.ts';
import { isOwnerAlive, ownerOfThisProcess } from '../../adapters/operation-owner.ts';
import { isFinished, type Operation } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { operations } from '../../store/definitions.ts';
import { openOperations } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { OperationContext } from '../../model/engines.ts';
import { carryOut, OPERATION_LEASE_MS, type OperationOutcome } from './run-operation.ts';

/** Finishes an operation whose process died and returns its result, or undoes it and throws. */
export type Recoverer = (operation: Operation, context: OperationContext) => Promise<OperationOutcome>;
export type Recoverers = Readonly<Partial<Record<OperationType, Recoverer>>>;

export interface Recovered {
  readonly id: string;
  readonly type: OperationType;
  readonly status: Operation['status'];
}

/** Runs at every start. Each operation is claimed by one of several starting processes. */
export async function recoverOperations(
  audiobooks: Audiobooks,
  recoverers: Recoverers,
  signal?: AbortSignal,
): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const operation of await openOperations(audiobooks.store)) {
    if (signal?.aborted === true) break;
    if (!isAbandoned(operation, audiobooks.now()) || !(await claim(audiobooks, operation))) continue;
    const recover = recoverers[operation.type] ?? endedEarly;
    const finished = await carryOut(audiobooks, operation, { signal }, (context) => recover(operation, context)).catch(
      () => undefined,
    );
    recovered.push({ id: operation.id, type: operation.type, status: finished?.status ?? 'failed' });
  }
  return recovered;
}

function isAbandoned({ owner, heartbeat_at: heartbeat, created_at: created }: Operation, now: number): boolean {
  const isAlive = owner === null ? undefined : isOwnerAlive(owner);
  return isAlive === undefined ? now - Date.parse(heartbeat ?? created) > OPERATION_LEASE_MS : !isAlive;
}

function claim({ store, now }: Audiobooks, seen: Operation): Promise<boolean> {
  return store.transact(async (tx) => {
    const current = await tx.get(operations, { id: seen.id });
    if (current === undefined || isFinished(current) || current.owner !== seen.owner) return false;
    await tx.put(
      operations,
      { id: seen.id },
      {
        ...current,
        status: 'interrupted',
        owner: ownerOfThisProcess(),
        heartbeat_at: toTime(now()),
        attempts: current.attempts + 1,
      },
    );
    return true;
  });
}

const endedEarly: Recoverer = (operation) =>
  Promise.reject(new Error(`The process ended during this ${operation.type}; what it had finished stays.`));
